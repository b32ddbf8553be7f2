import { setTimeout as sleep } from 'node:timers/promises';
import { CatalogueImports } from '../../../src/catalogue/catalogue-imports.js';
import { startTestService, type TestService } from '../../support/services/test-service.js';

const published = (...models: readonly object[]): string => JSON.stringify({ data: models }, null, 2);
const listed = (id: string, prompt: string, facts: object = {}): object => ({
  id,
  name: `Model ${id}`,
  created: 1_790_000_000,
  description: 'A model',
  context_length: 1000,
  architecture: { input_modalities: ['text'], output_modalities: ['text'], tokenizer: 'Other', instruct_type: null },
  pricing: { prompt, completion: '0.000002' },
  top_provider: { max_completion_tokens: null, is_moderated: false },
  supported_parameters: ['tools'],
  knowledge_cutoff: null,
  ...facts,
});

const CHEAP = published(listed('acme/ok', '1'), listed('acme/bad', 'cheap'));

/** Polls until a condition holds, because the time at which an import arrives on a replica is not known. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    if (await holds()) return;
    await sleep(25);
  }
  throw new Error('the condition was not met in time');
}

describe('an import into the catalogue', () => {
  let service: TestService;
  let replica: TestService;
  let imports: CatalogueImports;
  beforeAll(async () => {
    service = await startTestService({ env: { RATE_LIMIT_BENCHMARKS: 'off' } });
    replica = await startTestService({ databaseUrl: service.databaseUrl, env: { RATE_LIMIT_BENCHMARKS: 'off' } });
    imports = service.app.get(CatalogueImports, { strict: false });
  });
  afterAll(async () => {
    await replica.stop();
    await service.stop();
  });
  afterEach(async () => {
    const [row] = await service.sql.query<{ imported: bigint }>(
      'select (select count(*) from catalogue_model) + (select count(*) from catalogue_provider) as imported',
    );
    if (row!.imported === 0n) return;
    await imports.import('{"data": []}', { replace: true });
    await until(
      async () =>
        (await replica.standard.get('/models?q=acme&limit=100')).json.total_count === 0 &&
        (await service.standard.get('/models?q=acme&limit=100')).json.total_count === 0,
    );
  });

  const seesOn = (on: TestService, id: string): Promise<boolean> =>
    on.standard.get(`/model/${id}`).then(({ status }) => status === 200);

  it('of the published format is read by every replica, and kept over a restart', async () => {
    await imports.import(published(listed('acme/one', '0.000001')));
    await until(async () => (await seesOn(service, 'acme/one')) && (await seesOn(replica, 'acme/one')));
    const { json } = await replica.standard.get('/model/acme/one');
    expect(json.data).toMatchObject({
      name: 'Model acme/one',
      created: 1_790_000_000,
      pricing: { prompt: '0.000001', completion: '0.000002' },
      supported_parameters: ['tools'],
      knowledge_cutoff: null,
    });
    const third = await startTestService({ databaseUrl: service.databaseUrl });
    try {
      expect(await seesOn(third, 'acme/one')).toBe(true);
    } finally {
      await third.stop();
    }
  });

  it('of the models.dev format changes prices, keeps values that the file lacks, and keeps adapters', async () => {
    const file = {
      models: {
        'acme/two': {
          name: 'Two',
          release_date: '2026-09',
          modalities: { input: ['text', 'pdf'], output: ['text'] },
          limit: { context: 5000, output: 100 },
          tool_call: true,
        },
      },
      providers: {
        acme: { name: 'Acme', doc: 'https://acme.example', models: { two: { cost: { input: 0.1, output: 0.2 } } } },
        openai: { name: 'OpenAI', models: { 'gpt-5.4': { cost: { input: 7, output: 8 } } } },
        builtin: { name: 'Renamed', models: {} },
      },
    };
    const before = (await service.standard.get('/model/openai/gpt-5.4')).json.data;
    const outcome = await imports.import(JSON.stringify(file));
    expect(outcome).toMatchObject({ format: 'models.dev', models: 2, providers: 3, unmatched: [] });
    await until(() => seesOn(service, 'acme/two'));
    const two = (await service.standard.get('/model/acme/two')).json.data;
    expect(two).toMatchObject({
      architecture: { input_modalities: ['text', 'file'] },
      pricing: { prompt: '0.0000001', completion: '0.0000002' },
      top_provider: { max_completion_tokens: 100 },
    });
    const after = (await service.standard.get('/model/openai/gpt-5.4')).json.data;
    expect(before.pricing).toMatchObject({ input_cache_read: expect.any(String) });
    expect(after).toEqual({
      ...before,
      // The price of searches comes from a rule of the service, not from the file.
      pricing: { prompt: '0.000007', completion: '0.000008', image: '0', request: '0', web_search: '0.01' },
    });
    expect((await service.standard.get('/images/models/builtin/poster/endpoints')).json.endpoints[0]).toMatchObject({
      provider_name: 'Renamed',
      pricing: [{ cost_usd: 0.0001 }],
    });
  });

  it('stores prices as plain decimals, whatever notation the file uses', async () => {
    await imports.import(
      published(
        listed('acme/small', '3e-6', {
          pricing: { prompt: '3e-6', completion: '1.50E-5', image: '0.010', request: '0' },
        }),
      ),
    );
    await until(() => seesOn(service, 'acme/small'));
    expect((await service.standard.get('/model/acme/small')).json.data.pricing).toEqual({
      prompt: '0.000003',
      completion: '0.000015',
      image: '0.01',
      request: '0',
    });
  });

  it('lists a model with an unknown price only after an import has priced it', async () => {
    const { id } = { id: 'google/gemma-4-E2B-it' };
    expect(await seesOn(service, id)).toBe(false);
    await imports.import(published({ id, pricing: { prompt: '-1', completion: '0.000002' } }));
    await imports.import(
      published(
        listed('acme/varies', '-1'),
        listed('acme/half', '0.000001', { pricing: { prompt: '0.000001', completion: '-1' } }),
        listed('acme/known', '0.000001'),
      ),
    );
    await until(() => seesOn(service, 'acme/known'));
    for (const unpriced of [id, 'acme/varies', 'acme/half'])
      expect([unpriced, await seesOn(service, unpriced)]).toEqual([unpriced, false]);
    expect((await service.standard.get('/models?q=acme&limit=100')).json.total_count).toBe(1);
    await imports.import(
      JSON.stringify({
        google: { name: 'Google', models: { 'gemma-4-E2B-it': { cost: { input: 0.1, output: 0.2 } } } },
      }),
      { replace: true },
    );
    await until(() => seesOn(service, id));
    expect((await service.standard.get(`/models/${id}/endpoints`)).json.data.endpoints).toEqual([
      expect.objectContaining({ tag: 'google', pricing: { prompt: '0.0000001', completion: '0.0000002' } }),
    ]);
  });

  it('prints on a dry run what would change, and changes nothing', async () => {
    const outcome = await imports.import(
      published(listed('acme/three', '0.000001'), { id: 'openai/gpt-5.4', description: 'Other words' }),
      { dryRun: true },
    );
    expect(outcome.differences).toEqual([
      { change: 'new model', subject: 'acme/three' },
      {
        change: 'model',
        subject: 'openai/gpt-5.4',
        member: 'description',
        from: expect.stringContaining('GPT-5.4'),
        to: 'Other words',
      },
    ]);
    const [{ count }] = (await service.sql.query<{ count: bigint }>(
      "select count(*) from catalogue_model where id = 'acme/three'",
    )) as [{ count: bigint }];
    expect(count).toBe(0n);
  });

  it.each([
    ['text that is not JSON', '{\n "data": [\n  {"id": }\n ]\n}', 3],
    ['a file that ends too early', '{\n "data": [\n  {"id": "acme/x"', 3],
    ['an invalid price', CHEAP, CHEAP.split('\n').findIndex((line) => line.includes('cheap')) + 1],
    ['an id without an author', '{"data": [\n{"id": "acme/ok", "name": "x"},\n{"id": "noauthor"}]}', 3],
    ['a new model that lacks its name', '{"data": [\n\n{"id": "acme/nameless"}]}', 3],
    ['a model twice', '{"data": [\n{"id": "openai/gpt-5.4"},\n{"id": "openai/gpt-5.4"}]}', 3],
    [
      'a cost that is not a number',
      '{"models": {},\n"providers": {\n"openai": {"models": {\n"gpt-5.4": {"cost": {"input": "1", "output": 2}}}}}}',
      4,
    ],
    ['neither format', '[]', 1],
    ['a character that cannot be stored', '{"data": [\n{"id": "openai/gpt-5.4",\n"description": "\\u0000"}]}', 3],
  ])('refuses %s, names the line, and changes nothing', async (_, text, line) => {
    const rows = (): Promise<object[]> =>
      service.sql.query(
        'select (select count(*) from catalogue_model) as models, (select max(no) from catalogue_import) as last',
      );
    const before = await rows();
    await expect(imports.import(text)).rejects.toMatchObject({
      kind: 'invalid_request',
      line,
      message: expect.stringMatching(new RegExp(`^Line ${line}: .*Nothing was imported\\.$`)),
    });
    expect(await rows()).toEqual(before);
  });

  it('never makes a read fail or return two mixed states, with 32 concurrent readers', async () => {
    const state = (price: string): string =>
      published(...Array.from({ length: 60 }, (_, at) => listed(`acme/m${at}`, price)));
    await imports.import(state('0.000001'));
    await until(async () => (await service.standard.get('/models?q=acme&limit=100')).json.total_count === 60);
    let reading = true;
    const seen = new Set<string>();
    let answers = 0;
    const reader = async (path: string): Promise<void> => {
      while (reading) {
        const answer = await service.standard.get(path);
        expect(answer.status).toBe(200);
        const prices = new Set<string>(
          answer.json.data.map((model: { pricing: { prompt: string } }) => model.pricing.prompt),
        );
        expect([prices.size, answer.json.data.length]).toEqual([1, 60]);
        seen.add([...prices][0]!);
        answers++;
      }
    };
    const paths = [
      '/models?q=acme',
      '/models?q=acme&sort=pricing-low-to-high',
      '/models?q=acme&max_age_days=99999',
      '/models?model_authors=acme&limit=1000',
    ];
    const readers = Array.from({ length: 32 }, (_, at) => reader(paths[at % paths.length]!));
    for (const price of ['0.000002', '0.000003', '0.000004']) {
      await imports.import(state(price));
      await until(async () => seen.has(price));
    }
    reading = false;
    await Promise.all(readers);
    expect([...seen]).toEqual(expect.arrayContaining(['0.000002', '0.000003', '0.000004']));
    expect(answers).toBeGreaterThan(32);
  });
});
