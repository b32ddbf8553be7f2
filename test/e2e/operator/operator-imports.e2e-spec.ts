import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from '../../support/eventually.js';
import { operate, type OperatorResult } from '../../support/services/operator-line.js';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.js';
import { startTestService, type TestService } from '../../support/services/test-service.js';

const LISTED = JSON.stringify(
  {
    data: [
      {
        id: 'acme/listed',
        name: 'Listed',
        created: 1_790_000_000,
        description: 'A model',
        context_length: 1000,
        architecture: {
          input_modalities: ['text'],
          output_modalities: ['text'],
          tokenizer: 'Other',
          instruct_type: null,
        },
        pricing: { prompt: '0.000001', completion: '0.000002' },
        supported_parameters: [],
      },
    ],
  },
  null,
  1,
);
const MODELS_DEV = JSON.stringify({
  models: {
    'acme/dev': {
      name: 'Dev',
      release_date: '2026-09',
      modalities: { input: ['text'], output: ['text'] },
      limit: { context: 5000, output: 100 },
    },
  },
  providers: { acme: { name: 'Acme', models: { dev: { cost: { input: 0.1, output: 0.2 } } } } },
});
const INDEX_CSV =
  'source,model_permaslug,display_name,intelligence_index,coding_index,agentic_index\n' +
  'index-source,openai/gpt-5.4,GPT-5.4,70.5,,1\n';
const ARENA_JSON = JSON.stringify([
  {
    source: 'arena-source',
    model_permaslug: 'openai/gpt-5.4',
    display_name: 'GPT-5.4',
    arena: 'models',
    category: 'website',
    elo: 1200,
    win_rate: 50,
  },
]);
const ORIGIN = ['--source-url', 'https://scores.example', '--citation', 'Scores by Example', '--as-of', '2026-11-01'];

describe("the operator's imports", () => {
  let service: TestService;
  let folder: TemporaryFolder;
  beforeAll(async () => {
    folder = await temporaryFolder();
    service = await startTestService({ env: { RATE_LIMIT_BENCHMARKS: 'off' } });
  });
  afterAll(async () => {
    await service.stop();
    await folder.remove();
  });

  const operator = (...words: string[]): Promise<OperatorResult> =>
    operate(service.databaseUrl, { DATABASE_URL: service.databaseUrl, MASTER_KEY: 'a1'.repeat(32) }, ...words);
  let written = 0;
  const fileOf = async (text: string): Promise<string> => {
    const file = join(folder.path, `${++written}.txt`);
    await writeFile(file, text);
    return file;
  };
  const audited = (): Promise<unknown[]> =>
    service.sql.query(
      `select actor, resource_kind as kind, resource_id as id, account_id as account
       from audit_entry
       where action = 'import'
       order by audit_entry.id`,
    );
  const rowOf = (kind: string, text: string): object => ({
    actor: 'operator',
    kind,
    id: createHash('sha256').update(text).digest('hex'),
    account: null,
  });
  const answers = (path: string, holds: (json: { data: { id: string }[] }) => void): Promise<void> =>
    eventually(async () => holds((await service.standard.get(path)).json));

  it('print on a dry run what would change, and store nothing, not even an audit row', async () => {
    const { lines, notes, error } = await operator('catalogue', 'import', await fileOf(LISTED), '--dry-run');
    expect(error).toBeUndefined();
    expect(lines.map((line) => line.split(/ {2,}/))).toEqual([
      ['change', 'subject', 'member', 'from', 'to'],
      ['new model', 'acme/listed', '-', '-', '-'],
    ]);
    expect(notes).toEqual([
      expect.stringMatching(
        /^openrouter: 1 models and 0 vendors read, 1 differences; nothing was changed \(--dry-run\)\.$/i,
      ),
    ]);
    expect(
      (await operator('benchmarks', 'import', await fileOf(INDEX_CSV), ...ORIGIN, '--dry-run', '--json')).lines,
    ).toEqual(['{"source":"index-source","scores":1,"imported":false}']);
    expect([(await service.standard.get('/model/acme/listed')).status, await audited()]).toEqual([404, []]);
  });

  it('accept both formats of catalogues and benchmarks, take effect at once, and are audited', async () => {
    const [benchmarks, catalogues] = [
      [INDEX_CSV, ARENA_JSON],
      [LISTED, MODELS_DEV],
    ];
    for (const text of catalogues)
      expect((await operator('catalogue', 'import', await fileOf(text), '--json')).error).toBeUndefined();
    for (const text of benchmarks)
      expect((await operator('benchmarks', 'import', await fileOf(text), ...ORIGIN)).error).toBeUndefined();
    await answers('/models?q=acme', ({ data }) =>
      expect(new Set(data.map(({ id }) => id))).toEqual(new Set(['acme/dev', 'acme/listed'])),
    );
    await answers('/benchmarks?source=index-source', ({ data }) =>
      expect(data).toMatchObject([{ model_permaslug: 'openai/gpt-5.4', intelligence_index: 70.5, coding_index: null }]),
    );
    await answers('/benchmarks?source=arena-source', ({ data }) =>
      expect(data).toMatchObject([{ category: 'website', elo: 1200 }]),
    );
    expect(await audited()).toEqual([
      ...catalogues.map((text) => rowOf('catalogue', text)),
      ...benchmarks.map((text) => rowOf('benchmarks', text)),
    ]);
  });

  it('remove earlier imports if --replace is given', async () => {
    await operator('catalogue', 'import', await fileOf(LISTED), '--replace');
    await answers('/models?q=acme', ({ data }) => expect(data.map(({ id }) => id)).toEqual(['acme/listed']));
  });

  it.each<[string, string[], RegExp]>([
    [
      'a file with an invalid price',
      ['catalogue', 'import', LISTED.replace('"0.000001"', '"cheap"')],
      /^Line \d+: .*Nothing was imported\.$/,
    ],
    ['a file that is not JSON', ['catalogue', 'import', '{"data": [\n}'], /^Line 2: .*Nothing was imported\.$/],
    [
      'a table with an invalid number',
      ['benchmarks', 'import', INDEX_CSV.replace('70.5', 'high'), ...ORIGIN],
      /^Line 2: /,
    ],
    [
      'an invalid date',
      ['benchmarks', 'import', INDEX_CSV, ...ORIGIN.slice(0, -1), 'yesterday'],
      /^--as-of .*Nothing was imported\.$/,
    ],
    ['an import without its source', ['benchmarks', 'import', INDEX_CSV], /required option '--source-url <url>'/],
  ])(
    'refuse %s with an error of one line, and change nothing',
    async (_, [group, command, text, ...options], message) => {
      const before = await service.sql.query(
        'select (select max(no) from catalogue_import) as last, (select count(*) from audit_entry) as rows',
      );
      const { error } = await operator(group!, command!, await fileOf(text!), ...options);
      expect((error as Error).message).toMatch(message);
      expect((error as Error).message.split('\n')).toHaveLength(1);
      expect(
        await service.sql.query(
          'select (select max(no) from catalogue_import) as last, (select count(*) from audit_entry) as rows',
        ),
      ).toEqual(before);
    },
  );

  it('report a file that does not exist', async () => {
    expect((await operator('catalogue', 'import', join(folder.path, 'absent.json'))).error).toMatchObject({
      kind: 'invalid_request',
      message: expect.stringContaining('absent.json cannot be read'),
    });
  });

  it.each([
    ['catalogue_model', ['catalogue', 'import', LISTED.replaceAll('listed', 'unaudited')]],
    ['catalogue_benchmarks', ['benchmarks', 'import', INDEX_CSV.replace('70.5', '1'), ...ORIGIN]],
  ])(
    'change nothing in the table %s if the audit row cannot be written',
    async (table, [group, command, text, ...options]) => {
      const content = (): Promise<unknown> => service.sql.query(`select * from ${table} order by 1`);
      const before = await content();
      await service.sql.query('alter table audit_entry rename to audit_entry_away');
      try {
        expect((await operator(group!, command!, await fileOf(text!), ...options)).error).toMatchObject({
          message: expect.stringContaining('audit_entry'),
        });
        expect(await content()).toEqual(before);
      } finally {
        await service.sql.query('alter table audit_entry_away rename to audit_entry');
      }
    },
  );

  it.each([
    ['catalogue', '--dry-run', '--replace'],
    ['benchmarks', '--source-url', '--citation'],
  ])('list the options of %s import for --help', async (group, ...options) => {
    const shown: string[] = [];
    const { write } = process.stdout;
    process.stdout.write = (text: string | Uint8Array) => shown.push(String(text)) > 0;
    try {
      await operator(group, 'import', '--help');
    } finally {
      process.stdout.write = write;
    }
    for (const option of options) expect(shown.join('')).toContain(option);
  });
});
