import { makeKey } from '../../support/api/api-builders.js';
import { hostileTexts } from '../../support/hostile/hostile-texts.js';
import { mp3Frames, mp3Seconds } from '../../support/files/mp3-frames.js';
import { startTestService, TEST_API_KEY, type TestService } from '../../support/services/test-service.js';

const HELLO = {
  model: 'builtin/flite',
  // The voice that takes the least CPU time.
  voice: 'kal16',
  input: 'Good morning. This is a longer sentence, so that there is something to hear.',
};

/** Longer hostile texts are not read to their end. */
const LONG = 400;

describe('POST /audio/speech', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service.stop());

  const seconds = (bytes: Uint8Array): number => bytes.length / 2 / 24_000;

  it('returns PCM by default, 24 kHz 16-bit mono, of a length that fits the text', async () => {
    const answer = await service.standard.post('/audio/speech', { json: HELLO });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('audio/pcm');
    expect(answer.bytes.length % 2).toBe(0);
    expect(seconds(answer.bytes)).toBeGreaterThan(3);
    expect(seconds(answer.bytes)).toBeLessThan(9);
  });

  it('returns MP3 that consists of frames from the first byte to the last', async () => {
    const answer = await service.standard.post('/audio/speech', { json: { ...HELLO, response_format: 'mp3' } });
    expect(answer.headers.get('content-type')).toBe('audio/mpeg');
    expect(mp3Seconds(mp3Frames(answer.bytes))).toBeGreaterThan(3);
  });

  it('returns shorter audio for a higher speed', async () => {
    const normal = seconds((await service.standard.post('/audio/speech', { json: HELLO })).bytes);
    const fast = seconds((await service.standard.post('/audio/speech', { json: { ...HELLO, speed: 2 } })).bytes);
    expect(fast / normal).toBeGreaterThan(0.4);
    expect(fast / normal).toBeLessThan(0.65);
  });

  it.each(['slt', 'rms', 'awb', 'kal16', 'alloy', 'nova', 'onyx'])('has the voice %s', async (voice) => {
    expect((await service.standard.post('/audio/speech', { json: { ...HELLO, input: 'Hi', voice } })).status).toBe(200);
  });

  it.each([
    [{ input: undefined }, 'input'],
    [{ input: '' }, 'input'],
    [{ input: 7 }, 'input'],
    [{ model: undefined }, 'model'],
    [{ voice: undefined }, 'voice'],
    [{ voice: 'nobody' }, 'voice'],
    [{ provider: 'x' }, 'provider'],
    [{ response_format: 'wav' }, 'response_format'],
    [{ speed: 'fast' }, 'speed'],
    [{ speed: true }, 'speed'],
    [{ input: 'x'.repeat(20_001) }, '20000'],
    [{ input: '🎺'.repeat(20_001) }, '20000'],
  ])('refuses %j with 400', async (fields, named) => {
    const answer = await service.standard.post('/audio/speech', { json: { ...HELLO, ...fields } });
    expect(answer.status).toBe(400);
    expect(answer.json.error.message).toContain(named);
  });

  it.each([
    [0.25, 0.25],
    [0.2499, 0.25],
    [0, 0.25],
    [-1, 0.25],
    [4, 4],
    [4.001, 4],
    [1e300, 4],
  ])('clamps speed %d to the limit of the voice: %d', async (speed, spoken) => {
    const bytes = async (at: number): Promise<Buffer> => {
      const answer = await service.standard.post('/audio/speech', { json: { ...HELLO, input: 'Hi', speed: at } });
      expect(answer.status).toBe(200);
      return Buffer.from(answer.bytes);
    };
    expect((await bytes(speed)).equals(await bytes(spoken))).toBe(true);
  });

  it.each(['no/such-model', 'builtin/poster'])('returns 404 for the model %s', async (model) => {
    expect((await service.standard.post('/audio/speech', { json: { ...HELLO, model } })).status).toBe(404);
  });

  it('charges by the character, and records request, user agent and attempts as for text', async () => {
    const created = await makeKey(service.management, { name: 'charged', limit: 0.000006 });
    const answer = await service.as(created.key).post('/audio/speech', {
      json: { ...HELLO, input: 'héllo🎺' },
      headers: { 'user-agent': 'player/1.0' },
    });
    const generation = await service.as(created.key).get(`/generation?id=${answer.headers.get('x-generation-id')}`);
    expect(generation.json.data).toMatchObject({
      total_cost: 0.000006,
      usage: 0.000006,
      api_type: 'tts',
      model: 'builtin/flite',
      provider_name: 'Gatehouse built-in',
      request_id: answer.headers.get('x-request-id'),
      user_agent: 'player/1.0',
      provider_responses: [{ provider_name: 'Gatehouse built-in', status: 200, latency: expect.any(Number) }],
    });
    expect((await service.management.get(`/keys/${created.hash}`)).json.data).toMatchObject({
      usage: 0.000006,
      limit_remaining: 0,
    });
    const refused = await service.as(created.key).post('/audio/speech', { json: { ...HELLO, input: 'x' } });
    expect(refused.status).toBe(402);
    expect(refused.json.error.code).toBe(402);
  });

  it('bills nothing if the caller leaves before the first byte, and the full price after the first byte', async () => {
    const created = await makeKey(service.management, { name: 'leaver' });
    const input = 'This sentence is spoken. '.repeat(400);
    const leave = async (afterFirstByte: boolean): Promise<void> => {
      const controller = new AbortController();
      const call = fetch(`${service.origin}/api/v1/audio/speech`, {
        method: 'POST',
        signal: controller.signal,
        headers: { authorization: `Bearer ${created.key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ ...HELLO, input }),
      });
      if (afterFirstByte) {
        const reader = (await call).body!.getReader();
        await reader.read();
      } else setTimeout(() => controller.abort(), 5);
      controller.abort();
      await call.catch(() => undefined);
    };
    const usage = async (): Promise<number> => (await service.management.get(`/keys/${created.hash}`)).json.data.usage;
    const quiet = async (): Promise<void> => {
      for (let tries = 0; tries < 200; tries++) {
        const [row] = await service.sql.query<{ open: bigint }>(
          `select count(*) as open from reservation where state = 'reserved'`,
        );
        if (row!.open === 0n) return;
        await new Promise((next) => setTimeout(next, 50));
      }
      throw new Error('the call did not end');
    };
    await leave(false);
    await new Promise((next) => setTimeout(next, 100));
    await quiet();
    expect(await usage()).toBe(0);
    await leave(true);
    await quiet();
    expect(await usage()).toBe(0.01);
  });

  it('returns audio or 400 for every hostile text, and continues to work', async () => {
    for (const { name, text, refused } of hostileTexts()) {
      const caller = new AbortController();
      const answer = await fetch(`${service.origin}/api/v1/audio/speech`, {
        method: 'POST',
        signal: caller.signal,
        headers: { authorization: `Bearer ${TEST_API_KEY}`, 'content-type': 'application/json' },
        body: JSON.stringify({ ...HELLO, speed: 4, input: text }),
      });
      expect([name, answer.status]).toEqual([name, refused ? 400 : 200]);
      // Of a long text only the start is read. flite-hostile-texts.spec.ts synthesises all of it.
      if (text.length <= LONG) await answer.bytes();
      else await answer.body!.getReader().read();
      caller.abort();
    }
    expect((await service.standard.post('/audio/speech', { json: HELLO })).status).toBe(200);
  }, 300_000);
});
