import { generationDetail } from './generation-detail.js';

describe('generationDetail', () => {
  it('truncates texts of callers and vendors to 256 characters, well-formed and without NUL', () => {
    const emoji = '\u{1F600}';
    expect(generationDetail({ sessionId: emoji.repeat(300) }).session_id).toBe(emoji.repeat(256));
    expect(generationDetail({ userAgent: 'a'.repeat(300) }).user_agent).toBe('a'.repeat(256));
    expect(generationDetail({ title: `x\0y\ud83dz` }).title).toBe('xy\ufffdz');
    expect(generationDetail({ nativeFinishReason: `\0` }).native_finish_reason).toBeNull();
    expect(generationDetail({ upstreamId: `${'\0'.repeat(5_000)}a` }).upstream_id).toBeNull();
    expect(generationDetail({ categories: 'b'.repeat(5_000_000) }).categories).toHaveLength(256);
  });

  it('truncates the reason of an attempt to 256 characters', () => {
    const failure = { code: 'c'.repeat(257), message: 'm'.repeat(256) };
    const attempts = [{ provider: 'acme', status: 500, latencyMs: 1, failure }];
    expect(generationDetail({ attempts }).provider_responses).toEqual([
      { provider: 'acme', status: 500, latency_ms: 1, code: 'c'.repeat(256), message: 'm'.repeat(256) },
    ]);
  });

  it('leaves out unknown values, and keeps 0', () => {
    const { num_media_prompt, num_input_audio_prompt, provider_responses, cache_discount } = generationDetail({
      audioInputs: 0,
      cacheDiscount: 0n,
    });
    expect([num_media_prompt, num_input_audio_prompt, provider_responses, cache_discount]).toEqual([
      null,
      0,
      null,
      '0',
    ]);
  });

  it('keeps counts within the range of their columns', () => {
    const detail = generationDetail({ mediaInputs: 1e12, completionImageTokens: Number.NaN });
    expect([detail.num_media_prompt, detail.native_tokens_completion_images]).toEqual([2_147_483_647, null]);
  });
});
