import OpenAI from 'openai';
import { mp3Frames, mp3Seconds } from '../../support/files/mp3-frames.js';
import { AUDIO, SPEECH_USAGE, type ScriptedVendor } from '../../support/vendors/scripted-vendor.js';
import { TEST_API_KEY, type TestService } from '../../support/services/test-service.js';
import { startVendorStage } from '../../support/vendors/vendor-stage.js';

interface SpeechEvent {
  readonly type: string;
  readonly audio?: string;
  readonly usage?: object;
}

const eventsOf = (text: string): SpeechEvent[] =>
  text
    .split('\n\n')
    .filter((block) => block !== '')
    .map((block) => JSON.parse(block.replace(/^data: /, '')) as SpeechEvent);

describe('speech for the client openai', () => {
  let vendor: ScriptedVendor;
  let service: TestService;
  let client: OpenAI;
  beforeAll(async () => {
    ({ vendor, service } = await startVendorStage());
    client = new OpenAI({ apiKey: TEST_API_KEY, baseURL: `${service.origin}/api/v1`, maxRetries: 0 });
  });
  afterAll(() => service.stop());

  const speak = (request: Partial<OpenAI.Audio.SpeechCreateParams>): Promise<Response> =>
    client.audio.speech.create({
      model: 'builtin/flite',
      voice: 'alloy',
      input: 'Good morning. This is a second sentence.',
      stream_format: 'sse',
      ...request,
    });
  const audioOf = (events: readonly SpeechEvent[]): Buffer =>
    Buffer.concat(events.slice(0, -1).map(({ audio }) => Buffer.from(audio!, 'base64')));
  const creditsUsed = async (): Promise<number> =>
    (await service.management.get('/credits')).json.data.total_usage as number;

  it.each(['pcm', 'mp3'] as const)(
    'is sent in %s as events, with the same bytes as without events',
    async (response_format) => {
      const response = await speak({ response_format });
      expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
      const events = eventsOf(await response.text());
      expect(new Set(events.slice(0, -1).map(({ type }) => type))).toEqual(new Set(['speech.audio.delta']));
      expect(events.at(-1)).toEqual({
        type: 'speech.audio.done',
        usage: { input_tokens: 0, output_tokens: 0, total_tokens: 0, cost: 0.00004 },
      });
      const plain = await speak({ response_format, stream_format: 'audio' });
      const audio = audioOf(events);
      expect(audio.equals(Buffer.from(await plain.arrayBuffer()))).toBe(true);
      if (response_format === 'mp3') expect(mp3Seconds(mp3Frames(audio))).toBeGreaterThan(1);
    },
  );

  it.each([
    ['by characters', 'openai/tts-1', { input_tokens: 0, output_tokens: 0, total_tokens: 0 }],
    ['by tokens', 'openai/gpt-4o-mini-tts', SPEECH_USAGE],
  ])('reports its cost if the vendor charges %s', async (_, model, usage) => {
    const before = await creditsUsed();
    const response = await speak({ model });
    const events = eventsOf(await response.text());
    expect(audioOf(events).equals(AUDIO)).toBe(true);
    const done = events.at(-1)!.usage as { cost: number };
    expect(done).toMatchObject(usage);
    expect(done.cost).toBeGreaterThan(0);
    expect((await creditsUsed()) - before).toBeCloseTo(done.cost, 9);
    const record = await service.standard.get(`/generation?id=${response.headers.get('x-generation-id')}`);
    expect(record.json.data.total_cost).toBeCloseTo(done.cost, 9);
  });

  it('ends with an error, and is not billed, if the vendor breaks off', async () => {
    const before = await creditsUsed();
    vendor.script({ kind: 'cut', share: 0.5 });
    await expect(speak({ model: 'openai/tts-1' }).then((response) => response.text())).rejects.toThrow();
    expect(await creditsUsed()).toBe(before);
  });

  it('fails with a status if the vendor fails before the first audio', async () => {
    vendor.script({ kind: 'status', status: 500 });
    await expect(speak({ model: 'openai/tts-1' })).rejects.toMatchObject({ status: 502 });
  });

  it.each(['opus', 'aac', 'flac', 'wav'] as const)(
    'with response_format %s is refused; the error names mp3 and pcm',
    async (format) => {
      await expect(speak({ response_format: format, stream_format: 'audio' })).rejects.toThrow(
        'response_format must be one of the following values: mp3, pcm',
      );
    },
  );

  it('with an unknown stream_format is refused; the error names the member', async () => {
    await expect(speak({ stream_format: 'ws' as 'sse' })).rejects.toThrow('stream_format must be one of');
  });
});
