import { setTimeout as sleep } from 'node:timers/promises';
import { accountTotals, settledSpend } from '../support/account-totals.js';
import {
  AUDIO,
  PIXEL,
  startScriptedVendor,
  type ScriptedVendor,
  type VendorFault,
} from '../support/scripted-vendor.js';
import { startTestService, TEST_API_KEY, type TestService } from '../support/test-service.js';

const CREDENTIAL = 'sk-scripted-vendor-credential-0123456789';
const TIMEOUT_MS = 400;
const IMAGE = { model: 'openai/gpt-image-1', prompt: 'A lighthouse', quality: 'low', size: '1024x1024' };
const SPEECH = { model: 'openai/tts-1', input: 'Hello', voice: 'alloy' };
/** 10 text tokens at 5, 40 of pictures at 10 and 272 made at 40 USD a million. */
const IMAGE_COST = 0.01133;

describe('a vendor of the OpenAI protocol', () => {
  let vendor: ScriptedVendor;
  let service: TestService;
  beforeAll(async () => {
    vendor = await startScriptedVendor();
    service = await startTestService({
      env: { OPENAI_API_KEY: CREDENTIAL, OPENAI_BASE_URL: vendor.baseUrl, UPSTREAM_TIMEOUT_MS: String(TIMEOUT_MS) },
    });
  });
  afterAll(async () => {
    await service.stop();
    await vendor.close();
  });

  const settled = (): Promise<bigint> => settledSpend(service.sql);

  describe('makes images', () => {
    it("answers the vendor's base64 and created unchanged, its usage in our names and priced by its tokens", async () => {
      const before = await settled();
      const answer = await service.standard.post('/images', { json: IMAGE });
      expect(answer.json).toEqual({
        created: 1_790_000_000,
        data: [{ b64_json: PIXEL, media_type: 'image/png' }],
        usage: { prompt_tokens: 50, completion_tokens: 272, total_tokens: 322, cost: IMAGE_COST, is_byok: false },
      });
      expect((await settled()) - before).toBe(11_330_000n);
      const seen = vendor.seen.at(-1)!;
      expect([seen.path, seen.headers.authorization, seen.json]).toEqual([
        '/v1/images/generations',
        `Bearer ${CREDENTIAL}`,
        { model: 'gpt-image-1', prompt: 'A lighthouse', n: 1, size: '1024x1024', quality: 'low' },
      ]);
    });

    it('reserves the most that the request can cost before it asks', async () => {
      vendor.script({ kind: 'slow', pauseMs: 100 });
      const call = service.standard.post('/images', { json: { ...IMAGE, quality: 'high', size: '1024x1536', n: 2 } });
      while ((await accountTotals(service.sql)).reserved === 0n) await sleep(5);
      // 2 × 6240 tokens at 40 USD a million; 12 bytes of prompt and its frame of 64 at 5.
      expect((await accountTotals(service.sql)).reserved).toBe(499_200_000n + 380_000n);
      await call;
    });

    it("chooses the vendor's size that is nearest to an aspect ratio, and refuses pixels it does not make", async () => {
      await service.standard.post('/images', { json: { ...IMAGE, size: undefined, aspect_ratio: '9:16' } });
      expect(vendor.seen.at(-1)!.json.size).toBe('1024x1536');
      const refused = await service.standard.post('/images', { json: { ...IMAGE, size: '640x480' } });
      expect([refused.status, refused.json.error.message]).toEqual([400, expect.stringContaining('1024x1536')]);
    });

    it('forwards only the options of this vendor that its endpoint allows', async () => {
      await service.standard.post('/images', {
        json: {
          ...IMAGE,
          provider: { options: { openai: { moderation: 'low', secret_knob: 1 }, other: { moderation: 'x' } } },
        },
      });
      expect(vendor.seen.at(-1)!.json).toMatchObject({ moderation: 'low' });
      expect(vendor.seen.at(-1)!.json).not.toHaveProperty('secret_knob');
    });

    it('sends references as a form of files to /images/edits', async () => {
      const answer = await service.standard.post('/images', {
        json: {
          ...IMAGE,
          input_references: [{ type: 'image_url', image_url: { url: `data:image/png;base64,${PIXEL}` } }],
        },
      });
      expect(answer.status).toBe(200);
      const seen = vendor.seen.at(-1)!;
      const boundary = /^multipart\/form-data; boundary=(\S+)$/.exec(seen.headers['content-type']!)![1]!;
      const parts = seen.raw.toString('latin1').split(`--${boundary}`);
      const form = new Map(
        parts
          .slice(1, -1)
          .map((part) => [/name="([^"]+)"/.exec(part)![1], part.slice(part.indexOf('\r\n\r\n') + 4, -2)]),
      );
      expect([seen.path, form.get('prompt'), form.get('n'), parts.at(-1)]).toEqual([
        '/v1/images/edits',
        'A lighthouse',
        '1',
        '--\r\n',
      ]);
      expect(Buffer.from(form.get('image[]')!, 'latin1').toString('base64')).toBe(PIXEL);
      expect(seen.raw.toString('latin1')).toContain('filename="reference-0.png"\r\ncontent-type: image/png\r\n');
    });

    const eventsOf = (text: string): { type: string; b64_json?: string; error?: { code: number } }[] => {
      const lines = text
        .split('\n\n')
        .filter((line) => line.startsWith('data: '))
        .map((line) => line.slice(6));
      expect(lines.at(-1)).toBe('[DONE]');
      return lines.slice(0, -1).map((line) => JSON.parse(line) as { type: string });
    };

    it.each([
      ['generations', []],
      ['edits', [{ type: 'image_url', image_url: { url: `data:image/png;base64,${PIXEL}` } }]],
    ])('passes a stream of %s on event by event in our words', async (_, input_references) => {
      const before = await settled();
      const answer = await service.standard.post('/images', { json: { ...IMAGE, stream: true, input_references } });
      expect(eventsOf(answer.text)).toEqual([
        { type: 'image_generation.partial_image', partial_image_index: 0, b64_json: PIXEL },
        { type: 'image_generation.partial_image', partial_image_index: 1, b64_json: PIXEL },
        {
          type: 'image_generation.completed',
          b64_json: PIXEL,
          media_type: 'image/png',
          created: 1_790_000_000,
          usage: { prompt_tokens: 50, completion_tokens: 272, total_tokens: 322, cost: IMAGE_COST, is_byok: false },
        },
      ]);
      expect((await settled()) - before).toBe(11_330_000n);
    });

    it.each<[string, VendorFault, number]>([
      ['breaks off', { kind: 'cut', share: 0.6 }, 502],
      ['falls silent', { kind: 'stall', share: 0.6 }, 524],
      [
        'ends without its image',
        { kind: 'body', body: `data: {"type":"image_generation.partial_image","b64_json":"${PIXEL}"}\n\n` },
        502,
      ],
      [
        'tells an error',
        {
          kind: 'body',
          body: `data: {"type":"image_generation.partial_image","b64_json":"${PIXEL}"}\n\ndata: {"type":"error","error":{"message":"x"}}\n\n`,
        },
        502,
      ],
    ])('ends a begun stream that %s with an error event and bills nothing', async (_, fault, code) => {
      const before = await settled();
      vendor.script(fault);
      const events = eventsOf((await service.standard.post('/images', { json: { ...IMAGE, stream: true } })).text);
      expect(events[0]!.type).toBe('image_generation.partial_image');
      expect(events.at(-1)).toMatchObject({ type: 'error', error: { code } });
      expect(await settled()).toBe(before);
    });
  });

  describe('speaks', () => {
    const speak = (fields: object): Promise<Response> =>
      fetch(`${service.origin}/api/v1/audio/speech`, {
        method: 'POST',
        headers: { authorization: `Bearer ${TEST_API_KEY}`, 'content-type': 'application/json' },
        body: JSON.stringify({ ...SPEECH, ...fields }),
      });

    it.each([
      ['whole', undefined],
      ['in pieces', { kind: 'slow', pauseMs: 10 } as const],
    ])('passes the audio on unchanged, come %s, priced by the character', async (_, pace) => {
      const before = await settled();
      if (pace) vendor.script(pace);
      const answer = await service.standard.post('/audio/speech', { json: { ...SPEECH, speed: 2 } });
      expect(Buffer.from(answer.bytes).equals(AUDIO)).toBe(true);
      expect(answer.headers.get('content-type')).toBe('audio/pcm');
      expect(vendor.seen.at(-1)!.json).toEqual({
        model: 'tts-1',
        input: 'Hello',
        voice: 'alloy',
        response_format: 'pcm',
        speed: 2,
      });
      expect((await settled()) - before).toBe(75_000n);
    });

    it.each([
      ['whole', undefined],
      ['in pieces', { kind: 'slow', pauseMs: 10 } as const],
    ])(
      'asks a model priced by tokens for events, decodes their audio, come %s, and bills the usage of the last',
      async (_, pace) => {
        const before = await settled();
        if (pace) vendor.script(pace);
        const answer = await service.standard.post('/audio/speech', {
          json: { ...SPEECH, model: 'openai/gpt-4o-mini-tts', response_format: 'mp3' },
        });
        expect(Buffer.from(answer.bytes).equals(AUDIO)).toBe(true);
        expect(vendor.seen.at(-1)!.json).toMatchObject({ stream_format: 'sse', response_format: 'mp3' });
        // 7 tokens at 0.60 and 120 at 12 USD a million.
        expect((await settled()) - before).toBe(1_444_200n);
        const generation = await service.standard.get(`/generation?id=${answer.headers.get('x-generation-id')}`);
        expect(generation.json.data).toMatchObject({ total_cost: 0.0014442, tokens_prompt: 7, tokens_completion: 120 });
      },
    );

    it.each<[string, VendorFault]>([
      ['audio that is cut', { kind: 'cut', share: 0.5 }],
      [
        'events that end without usage',
        {
          kind: 'body',
          body: `data: {"type":"speech.audio.delta","audio":"${AUDIO.toString('base64')}"}\n\n`,
          contentType: 'text/event-stream',
        },
      ],
      [
        'events whose last has no usage',
        {
          kind: 'body',
          body: `data: {"type":"speech.audio.delta","audio":"AAAA"}\n\ndata: {"type":"speech.audio.done"}\n\n`,
          contentType: 'text/event-stream',
        },
      ],
    ])('cuts an answer of %s and bills nothing', async (what, fault) => {
      const before = await settled();
      vendor.script(fault);
      const model = what.startsWith('events') ? 'openai/gpt-4o-mini-tts' : 'openai/tts-1';
      const outcome = await speak({ model }).then(
        async (answer) =>
          answer.ok
            ? answer.arrayBuffer().then(
                () => 'whole',
                () => 'cut',
              )
            : answer.status,
        () => 'cut',
      );
      expect(['cut', 502]).toContain(outcome);
      expect(await settled()).toBe(before);
    });

    it('bills in full, and aborts the vendor, when the caller leaves after the first byte', async () => {
      const before = await settled();
      vendor.script({ kind: 'stall', share: 0.5 });
      const left = new AbortController();
      const answer = await fetch(`${service.origin}/api/v1/audio/speech`, {
        method: 'POST',
        signal: left.signal,
        headers: { authorization: `Bearer ${TEST_API_KEY}`, 'content-type': 'application/json' },
        body: JSON.stringify(SPEECH),
      });
      await answer.body!.getReader().read();
      left.abort();
      while (vendor.seen.at(-1)!.abortedAt === undefined) await sleep(5);
      expect((await settled()) - before).toBe(75_000n);
    });
  });

  it("aborts the vendor's call when the caller leaves before the first byte, and bills nothing", async () => {
    const before = await settled();
    vendor.script({ kind: 'silence' });
    const left = new AbortController();
    const calls = vendor.seen.length;
    const gone = fetch(`${service.origin}/api/v1/images`, {
      method: 'POST',
      signal: left.signal,
      headers: { authorization: `Bearer ${TEST_API_KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify(IMAGE),
    }).catch(() => 'gone');
    while (vendor.seen.length === calls) await sleep(5);
    left.abort();
    expect(await gone).toBe('gone');
    while (vendor.seen.at(-1)!.abortedAt === undefined) await sleep(5);
    expect(await settled()).toBe(before);
  });

  const leaving = (path: string, request: object): { gone: AbortController; answer: Promise<Response> } => {
    const gone = new AbortController();
    return {
      gone,
      answer: fetch(`${service.origin}/api/v1${path}`, {
        method: 'POST',
        signal: gone.signal,
        headers: { authorization: `Bearer ${TEST_API_KEY}`, 'content-type': 'application/json' },
        body: JSON.stringify(request),
      }),
    };
  };

  it("aborts the vendor's call when the caller leaves in the middle of a stream of images, and bills nothing: previews are not paid for", async () => {
    const before = await settled();
    vendor.script({ kind: 'stall', share: 0.6 });
    const { gone, answer } = leaving('/images', { ...IMAGE, stream: true });
    await (await answer).body!.getReader().read();
    gone.abort();
    while (vendor.seen.at(-1)!.abortedAt === undefined) await sleep(5);
    while ((await accountTotals(service.sql)).reserved !== 0n) await sleep(5);
    expect(await settled()).toBe(before);
  });

  it("bills a caller who leaves once the vendor's complete answer is held", async () => {
    const before = await settled();
    const { gone, answer } = leaving('/images', IMAGE);
    await answer;
    gone.abort();
    while ((await accountTotals(service.sql)).reserved !== 0n) await sleep(5);
    expect((await settled()) - before).toBe(11_330_000n);
  });

  it('has billed exactly what the vendor says was used', async () => {
    const spent = await settled();
    const calls = await service.sql.query<{ tokens_prompt: bigint; tokens_completion: bigint }>(
      `select coalesce(sum(tokens_prompt), 0)::bigint as tokens_prompt, coalesce(sum(tokens_completion), 0)::bigint as tokens_completion from generation where status = 200`,
    );
    expect(calls[0]).toEqual({
      tokens_prompt: BigInt(vendor.used.input),
      tokens_completion: BigInt(vendor.used.output),
    });
    const [entries] = await service.sql.query<{ sum: bigint }>(
      `select -sum(amount)::bigint as sum from ledger_entry where kind = 'generation'`,
    );
    expect(entries!.sum).toBe(spent);
  });
});
