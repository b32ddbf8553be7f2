import { ModelNames } from '../../../src/inference/model-names.js';
import { anEndpoint } from '../../support/catalogue/catalogue-builder.js';
import { operate } from '../../support/services/operator-line.js';
import { aTextEndpoint, startTextStage, streamedChunks, type TextStage } from '../../support/calls/text-stage.js';

/** An endpoint at a vendor that uses this name for the model. */
const named = (provider: string, upstreamModel: string) => aTextEndpoint(provider, { upstreamModel });

let stage: TextStage;
beforeAll(async () => {
  stage = await startTextStage({ env: { GOOGLE_API_KEY: 'unused' } });
  const { teach } = stage;
  teach('maker/plain', [named('openai', 'plain-1')]);
  teach('maker/dated', [named('openai', 'dated-20251101')]);
  teach('maker/two-dates-a', [named('openai', 'twice-2025-01-01')]);
  teach('maker/two-dates-b', [named('deepinfra', 'twice@20250202')]);
  teach('maker/bare', [named('openai', 'mixed')]);
  teach('maker/bare-dated', [named('openai', 'mixed-20250101')]);
  teach('maker/of-chat', [named('openai', 'shared')]);
  teach('maker/of-messages', [named('anthropic', 'shared')]);
  teach('maker/same-slug', [named('openai', 'everywhere'), named('deepinfra', 'everywhere-20250101')]);
  teach('maker/of-images', [
    anEndpoint('openai', { capability: 'image', adapter: 'openai-compatible', upstreamModel: 'draws' }),
  ]);
  teach('maker/writes', [named('openai', 'draws')]);
});
afterAll(() => stage.stop());
afterEach(() => stage.vendors.openai.seen.splice(0));

const ask = (model: string, more: object = {}) => stage.chat({ model, ...more });

describe("a model's name without an author", () => {
  it.each([
    ['plain-1', 'maker/plain', "is the vendor's own"],
    ['plain-1-20260101', 'maker/plain', 'has a date that no vendor knows'],
    ['dated-20251101', 'maker/dated', 'has the exact date'],
    ['dated', 'maker/dated', 'lacks the date'],
    ['dated-2026-02-03', 'maker/dated', 'has another date'],
    ['twice-2025-01-01', 'maker/two-dates-a', 'has one of several dates'],
    ['mixed', 'maker/bare', 'has no date, although a dated name exists'],
    ['mixed-20250101', 'maker/bare-dated', 'has a date, although an undated name exists'],
    ['mixed-20260101', 'maker/bare', 'has an unknown date, although a dated name exists'],
    ['everywhere', 'maker/same-slug', 'is used by several vendors of one model'],
    ['draws', 'maker/writes', 'is also used by a model of another kind'],
    ['plain-1:nitro', 'maker/plain', 'has a suffix that sorts'],
  ])('(%s) means %s, because it %s', async (name, slug) => {
    const answer = await ask(name);
    expect([answer.status, answer.json.model]).toEqual([200, slug]);
    const streamed = streamedChunks(await ask(name, { stream: true }));
    expect(new Set(streamed.map(({ model }) => model))).toEqual(new Set([slug]));
    const { data } = (await stage.service.standard.get(`/generation?id=${answer.json.id}`)).json;
    expect(data.model).toBe(slug);
  });

  it('is 404 with the candidates if it is ambiguous', async () => {
    const answer = await ask('twice');
    expect(answer.status).toBe(404);
    expect(answer.json.error.message).toMatch(/"twice" is ambiguous: maker\/two-dates-a, maker\/two-dates-b\. /);
    expect(answer.json.error.metadata).toMatchObject({ availability: { code: 'model_not_found', retryable: false } });
    expect(stage.vendors.openai.seen).toEqual([]);
  });

  it.each(['unknown', 'plain-1-2025', 'openai/plain-1', 'maker/plain-20250101', '__proto__', ''])(
    'is refused if no vendor has the name: %j',
    async (name) => {
      const answer = await ask(name);
      expect(answer.status).toBe(name === '' ? 400 : 404);
      expect(stage.vendors.openai.seen).toEqual([]);
    },
  );

  it('selects a vendor with the format of the route first', () => {
    const names = stage.service.app.get(ModelNames, { strict: false });
    expect(names.find('shared', { capability: 'chat', format: 'chat' }).id).toBe('maker/of-chat');
    expect(names.find('shared', { capability: 'chat', format: 'responses' }).id).toBe('maker/of-chat');
    expect(names.find('shared', { capability: 'chat', format: 'messages' }).id).toBe('maker/of-messages');
    expect(() => names.find('shared', { capability: 'chat' })).toThrow(/maker\/of-chat, maker\/of-messages/);
  });

  it('may name a fallback', async () => {
    stage.vendors.openai.script({ status: 500, body: {} });
    const answer = await ask('plain-1', { models: ['everywhere'], provider: { ignore: [] } });
    expect([answer.status, answer.json.model]).toEqual([200, 'maker/same-slug']);
  });
});

describe('an alias of the operator', () => {
  const operator = (...words: string[]) => {
    const { databaseUrl } = stage.service;
    return operate(databaseUrl, { DATABASE_URL: databaseUrl, MASTER_KEY: 'a1'.repeat(32) }, ...words);
  };
  /** A model of the shipped catalogue, because the command reads that catalogue. */
  const SHIPPED = 'openai/gpt-4o';
  const until = async (model: string, status: number): Promise<void> => {
    while ((await ask(model)).status !== status) await new Promise(setImmediate);
  };

  it('takes effect on running services, and is recorded in the audit', async () => {
    expect((await ask('our-model')).status).toBe(404);
    const set = await operator('models', 'alias', 'set', 'our-model', SHIPPED, '--json');
    expect(set.error).toBeUndefined();
    expect(JSON.parse(set.lines[0]!)).toMatchObject({ name: 'our-model', model: SHIPPED });
    await until('our-model', 200);
    expect((await ask('our-model')).json.model).toBe(SHIPPED);

    expect((await operator('models', 'alias', 'set', 'our-model', 'openai/gpt-4o-mini')).error).toBeUndefined();
    while ((await ask('our-model')).json.model !== 'openai/gpt-4o-mini') await new Promise(setImmediate);
    const listed = await operator('models', 'alias', 'list', '--json');
    expect(listed.lines.map((line) => JSON.parse(line))).toMatchObject([
      { name: 'our-model', model: 'openai/gpt-4o-mini' },
    ]);

    expect((await operator('models', 'alias', 'remove', 'our-model')).error).toBeUndefined();
    await until('our-model', 404);
    const audit = await stage.service.sql.query(
      `select actor, action from audit_entry where resource_kind = 'model_alias' and resource_id = $1 order by id`,
      ['our-model'],
    );
    expect(audit).toEqual([
      { actor: 'operator', action: 'update' },
      { actor: 'operator', action: 'update' },
      { actor: 'operator', action: 'delete' },
    ]);
  });

  it('takes precedence over the names of vendors', async () => {
    expect((await operator('models', 'alias', 'set', 'twice', SHIPPED)).error).toBeUndefined();
    await until('twice', 200);
    expect((await ask('twice')).json.model).toBe(SHIPPED);
    await operator('models', 'alias', 'remove', 'twice');
    await until('twice', 404);
  });

  it.each([
    [['set', 'x', 'openai/nothing'], 'invalid_request', /No offered model has the slug openai\/nothing/],
    [['set', SHIPPED, 'openai/gpt-4o-mini'], 'conflict', /is the slug of a model/],
    [['set', 'with blank', SHIPPED], 'invalid_request', /The name must be/],
    [['set', 'x'.repeat(201), SHIPPED], 'invalid_request', /The name must be/],
    [['remove', 'never-set'], 'not_found', /There is no alias never-set/],
  ])('is refused for the arguments %j', async (words, kind, message) => {
    const { error } = await operator('models', 'alias', ...words);
    expect(error).toMatchObject({ kind, message: expect.stringMatching(message) });
  });
});
