import { setTimeout as sleep } from 'node:timers/promises';
import { accountTotals, settledSpend } from '../../support/money/account-totals.js';
import { PIXEL, type ScriptedVendor, type VendorFault } from '../../support/vendors/scripted-vendor.js';
import type { TestService } from '../../support/services/test-service.js';
import { expectBilledAsUsed } from '../../support/money/billed-as-used.js';
import { startVendorStage, VENDOR_CREDENTIAL } from '../../support/vendors/vendor-stage.js';

const IMAGE = { model: 'openai/gpt-image-1', prompt: 'A lighthouse', quality: 'low', size: '1024x1024' };
/** 10 text tokens at 5, 40 picture tokens at 10, and 272 generated tokens at 40 USD per million. */
const IMAGE_COST = 0.01133;

describe('the adapter of the OpenAI protocol', () => {
  let vendor: ScriptedVendor;
  let service: TestService;
  beforeAll(async () => {
    ({ vendor, service } = await startVendorStage());
  });
  afterAll(() => service.stop());

  const settled = (): Promise<bigint> => settledSpend(service.sql);

  describe('for images', () => {
    it('returns base64 and created unchanged and the usage under our names, and bills the usage', async () => {
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
        `Bearer ${VENDOR_CREDENTIAL}`,
        { model: 'gpt-image-1', prompt: 'A lighthouse', n: 1, size: '1024x1024', quality: 'low' },
      ]);
    });

    it.each([
      // 10 text tokens at 5, 40 picture tokens at 8, and 272 generated tokens at 32 USD per million.
      ['openai/gpt-image-1.5', 0.009074],
      // The same numbers of tokens at 5, 8 and 30.
      ['openai/gpt-image-2', 0.00853],
    ])('lists and serves %s at its own prices', async (model, cost) => {
      expect(
        (await service.standard.get('/models?output_modalities=image')).json.data.map(({ id }: { id: string }) => id),
      ).toContain(model);
      const { endpoints } = (await service.standard.get(`/images/models/${model}/endpoints`)).json;
      expect(
        endpoints.find((endpoint: { provider_slug: string }) => endpoint.provider_slug === 'openai').supports_streaming,
      ).toBe(true);
      const answer = await service.standard.post('/images', { json: { ...IMAGE, model } });
      expect([answer.status, answer.json.usage]).toEqual([
        200,
        expect.objectContaining({ completion_tokens: 272, cost }),
      ]);
      expect(vendor.seen.at(-1)!.json).toMatchObject({
        model: model.slice('openai/'.length),
        size: '1024x1024',
        quality: 'low',
      });
    });

    it('reserves the maximum cost of the request before the call', async () => {
      vendor.script({ kind: 'slow', pauseMs: 100 });
      const call = service.standard.post('/images', { json: { ...IMAGE, quality: 'high', size: '1024x1536', n: 2 } });
      while ((await accountTotals(service.sql)).reserved === 0n) await sleep(5);
      // 2 × 6,240 tokens at 40 USD per million, and 76 bytes of the prompt and its frame at 5.
      expect((await accountTotals(service.sql)).reserved).toBe(499_200_000n + 380_000n);
      await call;
    });

    it("chooses the vendor's size nearest to an aspect ratio, and refuses sizes that the vendor lacks", async () => {
      await service.standard.post('/images', { json: { ...IMAGE, size: undefined, aspect_ratio: '9:16' } });
      expect(vendor.seen.at(-1)!.json.size).toBe('1024x1536');
      const refused = await service.standard.post('/images', { json: { ...IMAGE, size: '640x480' } });
      expect([refused.status, refused.json.error.message]).toEqual([400, expect.stringContaining('1024x1536')]);
    });

    it('forwards only the options for this vendor that the endpoint allows', async () => {
      await service.standard.post('/images', {
        json: {
          ...IMAGE,
          provider: { options: { openai: { moderation: 'low', secret_knob: 1 }, other: { moderation: 'x' } } },
        },
      });
      expect(vendor.seen.at(-1)!.json).toMatchObject({ moderation: 'low' });
      expect(vendor.seen.at(-1)!.json).not.toHaveProperty('secret_knob');
    });

    it("sends a hash instead of the end user's id, with equal hashes for equal ids", async () => {
      const sentUser = async (user: string): Promise<unknown> => {
        expect((await service.standard.post('/images', { json: { ...IMAGE, user } })).status).toBe(200);
        return vendor.seen.at(-1)!.json.user;
      };
      const [alice, bob, again] = [await sentUser('alice'), await sentUser('bob'), await sentUser('alice')];
      expect(alice).toMatch(/^[0-9a-f]{32}$/);
      expect([alice === bob, alice === again]).toEqual([false, true]);
    });

    it('sends references as files of a form to /images/edits', async () => {
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
    ])('passes on a stream of %s event by event in our format', async (_, input_references) => {
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
      ['stalls', { kind: 'stall', share: 0.6 }, 524],
      [
        'ends without its image',
        { kind: 'body', body: `data: {"type":"image_generation.partial_image","b64_json":"${PIXEL}"}\n\n` },
        502,
      ],
      [
        'reports an error',
        {
          kind: 'body',
          body:
            `data: {"type":"image_generation.partial_image","b64_json":"${PIXEL}"}\n\n` +
            `data: {"type":"error","error":{"message":"x"}}\n\n`,
        },
        502,
      ],
    ])('ends a started stream that %s with an error event and bills nothing', async (_, fault, code) => {
      const before = await settled();
      vendor.script(fault);
      const events = eventsOf((await service.standard.post('/images', { json: { ...IMAGE, stream: true } })).text);
      expect(events[0]!.type).toBe('image_generation.partial_image');
      expect(events.at(-1)).toEqual({
        type: 'error',
        error: { message: expect.any(String), code: String(code), param: null, type: expect.any(String) },
      });
      expect(await settled()).toBe(before);
    });
  });

  it('bills exactly the usage that the vendor reports, if it reports any', () => expectBilledAsUsed(service, vendor));
});
