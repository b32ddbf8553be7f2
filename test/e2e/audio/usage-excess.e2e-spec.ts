import { setTimeout as sleep } from 'node:timers/promises';
import { makeKey } from '../../support/api/api-builders.js';
import { RERANK_PRO, startAudioStage, type AudioStage } from '../../support/calls/audio-stage.js';
import { goodRanking } from '../../support/vendors/other-vendor-formats.js';
import { goodCompletion } from '../../support/vendors/scripted-chat-vendor.js';
import { PIXEL } from '../../support/vendors/scripted-vendor.js';

const CALLS = 40;
/** After this time, all calls are open simultaneously. */
const HELD_MS = 500;
const CHAT = { model: 'openai/gpt-4o-mini', max_tokens: 1_000, messages: [{ role: 'user', content: 'Hello' }] };
const RANKING = { model: RERANK_PRO, query: 'red kites', documents: ['A ship at sea', 'Red paint'] };
const PICTURE = { model: 'openai/gpt-image-1', prompt: 'A red kite', quality: 'low', size: '1024x1024' };
const INPUT = { model: 'openai/text-embedding-3-small', input: 'Hello' };
const VECTORS = { object: 'list', model: 'x', data: [{ object: 'embedding', index: 0, embedding: [0.5] }] };

let stage: AudioStage;
beforeAll(async () => (stage = await startAudioStage()));
afterAll(() => stage.stop());

const [many, units] = [1_000_000, { billed_units: { search_units: 1_000 } }];
const KINDS: readonly (readonly [path: string, limitUsd: number, json: object, report: object])[] = [
  [
    '/chat/completions',
    0.003,
    CHAT,
    { ...(goodCompletion() as object), usage: { prompt_tokens: 9, completion_tokens: many } },
  ],
  ['/rerank', 0.02, RANKING, { ...goodRanking({ ...RANKING, top_n: 2 }), meta: units }],
  [
    '/images',
    0.1,
    PICTURE,
    { created: 1, data: [{ b64_json: PIXEL }], usage: { input_tokens: 9, output_tokens: many } },
  ],
  ['/embeddings', 0.000_01, INPUT, { ...VECTORS, usage: { prompt_tokens: many, total_tokens: many } }],
];

describe('simultaneous calls for which the vendor reports more usage than was reserved', () => {
  it.each(KINDS)('do not exceed the limit of the key: POST %s', async (path, limit, json, body) => {
    const { key, hash } = await makeKey(stage.service.management, { limit });
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    stage.vendor.script(...Array.from({ length: CALLS }, () => ({ body, holdAfter: 0, released })));
    const calls = Array.from({ length: CALLS }, () => stage.service.as(key).post(path, { json }));
    await sleep(HELD_MS);
    release();
    const answers = await Promise.all(calls);
    stage.vendor.clear();

    const served = answers.filter(({ status }) => status === 200);
    expect(served.length).toBeGreaterThan(1);
    for (const { status } of answers) expect([200, 402]).toContain(status);
    for (const { headers } of served)
      expect(await stage.anomaliesOf(headers.get('x-generation-id')!)).toEqual(['usage_excessive']);
    const { usage } = (await stage.service.management.get(`/keys/${hash}`)).json.data;
    expect(usage).toBeGreaterThan(0);
    expect(usage).toBeLessThanOrEqual(limit);
  });

  it.each(KINDS)('are not billed for the excess, unlike a single call: POST %s', async (path, _, json, body) => {
    const { key, hash } = await makeKey(stage.service.management);
    const usageAfter = async (report: object): Promise<number> => {
      stage.vendor.script({ body: report });
      expect((await stage.service.as(key).post(path, { json })).status).toBe(200);
      return (await stage.service.management.get(`/keys/${hash}`)).json.data.usage;
    };
    const alone = await usageAfter(body);
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    stage.vendor.script({ body, holdAfter: 0, released });
    const other = stage.service.standard.post(path, { json });
    await sleep(HELD_MS);
    const besideAnother = (await usageAfter(body)) - alone;
    release();
    await other;
    expect(alone).toBeCloseTo(2 * besideAnother, 9);
  });
});
