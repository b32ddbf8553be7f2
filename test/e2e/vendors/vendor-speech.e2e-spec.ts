import { setTimeout as sleep } from 'node:timers/promises';
import { settledSpend } from '../../support/money/account-totals.js';
import { AUDIO, type ScriptedVendor, type VendorFault } from '../../support/vendors/scripted-vendor.js';
import { TEST_API_KEY, type TestService } from '../../support/services/test-service.js';
import { expectBilledAsUsed } from '../../support/money/billed-as-used.js';
import { startVendorStage } from '../../support/vendors/vendor-stage.js';

const SPEECH = { model: 'openai/tts-1', input: 'Hello', voice: 'alloy' };

describe('the adapter of the OpenAI protocol', () => {
  let vendor: ScriptedVendor;
  let service: TestService;
  beforeAll(async () => {
    ({ vendor, service } = await startVendorStage());
  });
  afterAll(() => service.stop());

  const settled = (): Promise<bigint> => settledSpend(service.sql);

  describe('for speech', () => {
    const speak = (fields: object): Promise<Response> =>
      fetch(`${service.origin}/api/v1/audio/speech`, {
        method: 'POST',
        headers: { authorization: `Bearer ${TEST_API_KEY}`, 'content-type': 'application/json' },
        body: JSON.stringify({ ...SPEECH, ...fields }),
      });

    it.each([
      ['whole', undefined],
      ['in pieces', { kind: 'slow', pauseMs: 10 } as const],
    ])('passes on unchanged audio that is received %s, and bills it by the character', async (_, pace) => {
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

    it.each(['audio/mpeg', 'application/octet-stream', ''])(
      'accepts plain audio of the type "%s" instead of events, and bills what can be counted',
      async (contentType) => {
        const before = await settled();
        vendor.script({ kind: 'body', body: AUDIO, contentType });
        const answer = await service.standard.post('/audio/speech', {
          json: { ...SPEECH, model: 'openai/gpt-4o-mini-tts', response_format: 'mp3' },
        });
        expect([answer.status, Buffer.from(answer.bytes).equals(AUDIO)]).toEqual([200, true]);
        expect(vendor.seen.at(-1)!.json).toMatchObject({ stream_format: 'sse' });
        // One text token at 0.60, and at most 600 + 5 × 6 audio tokens at 12 USD per million.
        expect((await settled()) - before).toBe(600n + 630n * 12_000n);
      },
    );

    it.each(['application/json', 'text/html', 'application/problem+json', 'text/plain'])(
      'refuses %s as audio, whether events or plain audio were requested',
      async (contentType) => {
        const before = await settled();
        for (const model of ['openai/gpt-4o-mini-tts', 'openai/tts-1']) {
          vendor.script({ kind: 'body', body: '<html>', contentType });
          expect([
            model,
            (await service.standard.post('/audio/speech', { json: { ...SPEECH, model } })).status,
          ]).toEqual([model, 502]);
        }
        expect(await settled()).toBe(before);
      },
    );

    it.each([
      ['whole', undefined],
      ['in pieces', { kind: 'slow', pauseMs: 10 } as const],
    ])(
      'requests events for a model priced by tokens, decodes audio received %s, and bills the last usage',
      async (_, pace) => {
        const before = await settled();
        if (pace) vendor.script(pace);
        const answer = await service.standard.post('/audio/speech', {
          json: { ...SPEECH, model: 'openai/gpt-4o-mini-tts', response_format: 'mp3' },
        });
        expect(Buffer.from(answer.bytes).equals(AUDIO)).toBe(true);
        expect(vendor.seen.at(-1)!.json).toMatchObject({ stream_format: 'sse', response_format: 'mp3' });
        // 7 tokens at 0.60 and 120 tokens at 12 USD per million.
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
    ])('breaks off a response with %s and bills nothing', async (what, fault) => {
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

    it('bills the full price, and aborts the vendor call, if the caller leaves after the first byte', async () => {
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

  it('bills exactly the usage that the vendor reports, if it reports any', () => expectBilledAsUsed(service, vendor));
});
