import { accountTotals } from '../../support/money/account-totals.js';
import { makeKey } from '../../support/api/api-builders.js';
import {
  GPT_TRANSCRIBE,
  GROQ_TURBO,
  startAudioStage,
  WHISPER,
  type AudioStage,
} from '../../support/calls/audio-stage.js';
import { eventually } from '../../support/eventually.js';
import { SPOKEN_SECONDS, SPOKEN_TEXT, TRANSCRIPT_TOKENS } from '../../support/vendors/other-vendor-formats.js';
import { aWav, notAudio } from '../../support/files/recordings.js';
import { withSampleRate } from '../../support/files/recordings-that-lie.js';
import { TEST_API_KEY } from '../../support/services/test-service.js';

const usd = (nano: bigint): number => Number(nano) / 1e9;
const audioOf = (bytes: Buffer): object => ({ data: bytes.toString('base64'), format: 'wav' });

describe('the bill of a transcription', () => {
  let stage: AudioStage;
  beforeAll(async () => (stage = await startAudioStage()));
  afterAll(() => stage.stop());

  const post = (json: object, key?: string) =>
    (key === undefined ? stage.service.standard : stage.service.as(key)).post('/audio/transcriptions', {
      json: { model: WHISPER, input_audio: audioOf(aWav(2)), ...json },
    });
  const idOf = ({ headers }: { headers: Headers }): string => headers.get('x-generation-id')!;

  it.each([
    ['the seconds that the vendor reports', WHISPER, 'duration', SPOKEN_SECONDS, 1_234_500n],
    ['a price by the hour, exactly', GROQ_TURBO, 'duration', 3_600, 40_000_000n],
    ['half a nano-dollar rounded up', GROQ_TURBO, 'duration', 3_600.000_045, 40_000_001n],
    ['at least ten seconds, if the vendor has this minimum', GROQ_TURBO, 'duration', 0.5, 111_111n],
    ['ten seconds if the vendor reports 10.00001', GROQ_TURBO, 'duration', 10.000_01, 111_111n],
    ['the seconds in `usage` rather than `duration`', WHISPER, 'usage', 13, 1_300_000n],
  ])('is calculated with %s', async (_, model, member, seconds, nano) => {
    const report =
      member === 'usage' ? { duration: 12.3, usage: { type: 'duration', seconds } } : { duration: seconds };
    stage.vendor.script({ body: { text: SPOKEN_TEXT, ...report } });
    const recording = notAudio(Math.ceil(seconds * 1_000));
    const spent = await stage.spentBy(async () => {
      const answer = await post({ model, input_audio: audioOf(recording) });
      const billed = model === GROQ_TURBO ? Math.max(10, seconds) : seconds;
      expect(answer.json.usage).toEqual({ seconds: billed, cost: usd(nano) });
      expect(await stage.anomaliesOf(idOf(answer))).toEqual([]);
    });
    expect(spent).toBe(nano);
  });

  it('is calculated from text tokens and audio tokens if the model has prices for them', async () => {
    // 4 text tokens at 2,500 nano-dollars, 10 audio tokens at 6,000, and 7 output tokens at 10,000.
    const spent = await stage.spentBy(async () => {
      const { json } = await post({ model: GPT_TRANSCRIBE });
      const { input_tokens, output_tokens, total_tokens } = TRANSCRIPT_TOKENS;
      expect(json.usage).toEqual({ input_tokens, output_tokens, total_tokens, cost: usd(140_000n) });
    });
    expect(spent).toBe(140_000n);
  });

  it('is calculated with the price of audio if the vendor does not separate text and audio', async () => {
    stage.vendor.script({ body: { text: 'x', usage: { input_tokens: 14, output_tokens: 7 } } });
    expect(await stage.spentBy(() => post({ model: GPT_TRANSCRIBE }))).toBe(14n * 6_000n + 7n * 10_000n);
  });

  it.each<[string, string, object, string, bigint]>([
    // The recording lasts two seconds. Three seconds are reserved, because vendors round up.
    ['seconds', WHISPER, {}, 'usage_missing', 2n * 100_000n],
    ['seconds', WHISPER, { duration: -1 }, 'usage_invalid', 2n * 100_000n],
    // Ten audio tokens per second, and one token of the text.
    ['tokens', GPT_TRANSCRIBE, {}, 'usage_missing', 20n * 6_000n + 10_000n],
    [
      'tokens',
      GPT_TRANSCRIBE,
      { usage: { input_tokens: 5, output_tokens: 1, input_token_details: { audio_tokens: -4, text_tokens: 9 } } },
      'usage_invalid',
      20n * 6_000n + 10_000n,
    ],
  ])('is calculated from counted %s if %s reports %j, with an anomaly', async (_, model, report, kind, nano) => {
    stage.vendor.script({ body: { text: 'x', ...report } });
    const spent = await stage.spentBy(async () => {
      const id = idOf(await post({ model }));
      expect(await stage.anomaliesOf(id)).toEqual([kind]);
      expect(await stage.recordOf(id)).toMatchObject({ usage_estimated: true, num_input_audio_prompt: 1 });
    });
    expect(spent).toBe(nano);
  });

  it.each([
    ['is the duration that the vendor reports for a recording whose header claims less', 22, 2_200_000n, []],
    [
      'is the worst case if the vendor reports more than the bytes can last',
      22.000_01,
      2_200_000n,
      ['usage_excessive'],
    ],
  ])('%s', async (_, seconds, nano, anomalies) => {
    // 20,044 bytes whose header claims a duration of a tenth of a second.
    const recording = aWav(2.5, 0.1);
    stage.vendor.script({ body: { text: 'x', duration: seconds } });
    const bytes = recording.length;
    expect(bytes).toBe(20_044);
    const spent = await stage.spentBy(async () => {
      const answer = await post({ input_audio: audioOf(recording) });
      expect(await stage.anomaliesOf(idOf(answer))).toEqual(anomalies);
    });
    expect(spent).toBe(nano);
  });

  it.each([
    ['the duration of the container', WHISPER, aWav(2), 300_000n],
    ['bytes ÷ 1000 seconds if there is no container', WHISPER, notAudio(4_500), 600_000n],
    ['bytes ÷ 1000 seconds if no recorder has the sample rate', WHISPER, withSampleRate(aWav(0.5), 4e9), 600_000n],
    ['the tokens of its seconds and of the longest text', GPT_TRANSCRIBE, aWav(2), 94n * 6_000n + 2_000n * 10_000n],
    ['at least ten seconds, if the vendor has this minimum', GROQ_TURBO, aWav(2), 111_111n],
  ])('is reserved for %s: a limit of one nano-dollar less is a 402', async (_, model, recording, worst) => {
    const request = { model, input_audio: audioOf(recording) };
    const enough = await makeKey(stage.service.management, { limit: usd(worst) });
    stage.vendor.script({ body: { text: 'x', duration: 1, usage: { input_tokens: 1, output_tokens: 1 } } });
    expect((await post(request, enough.key)).status).toBe(200);
    const short = await makeKey(stage.service.management, { limit: usd(worst - 1n) });
    const calls = stage.vendor.seen.length;
    const { status, json } = await post(request, short.key);
    expect(status).toBe(402);
    expect(json.error.metadata).toMatchObject({ error_type: 'payment_required', limit_source: 'key_limit' });
    expect(stage.vendor.seen).toHaveLength(calls);
  });

  it('is recorded with the call', async () => {
    const answer = await stage.service.standard.post('/audio/transcriptions', {
      json: { model: GROQ_TURBO, input_audio: audioOf(aWav(2)), user: 'end-user-7', session_id: 'session-1' },
      headers: { 'user-agent': 'agent/1' },
    });
    expect(await stage.recordOf(idOf(answer))).toMatchObject({
      api_type: 'stt',
      model: GROQ_TURBO,
      provider_name: 'Groq',
      total_cost: usd(137_167n),
      external_user: 'end-user-7',
      session_id: 'session-1',
      user_agent: 'agent/1',
      upstream_id: 'req-1',
      num_input_audio_prompt: 1,
      streamed: false,
      provider_responses: [{ provider_name: 'Groq', status: 200, latency: expect.any(Number) }],
    });
  });

  it('is nothing for a call that fails, and for a caller who leaves before the vendor has responded', async () => {
    stage.vendor.script({ status: 500 });
    expect(await stage.spentBy(async () => expect((await post({})).status).toBe(502))).toBe(0n);
    stage.vendor.script({ body: '{}', stallAfter: 0 });
    const leaving = new AbortController();
    const calls = stage.vendor.seen.length;
    const spent = await stage.spentBy(async () => {
      const call = fetch(`${stage.service.origin}/api/v1/audio/transcriptions`, {
        method: 'POST',
        signal: leaving.signal,
        headers: { authorization: `Bearer ${TEST_API_KEY}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: WHISPER, input_audio: audioOf(aWav(2)) }),
      }).catch(() => undefined);
      await eventually(async () => expect(stage.vendor.seen).toHaveLength(calls + 1));
      expect((await accountTotals(stage.service.sql)).reserved).toBe(300_000n);
      leaving.abort();
      await call;
    });
    expect(spent).toBe(0n);
    await eventually(async () => expect(stage.vendor.seen.at(-1)!.aborted).toBe(true));
  });
});
