import { setTimeout as sleep } from 'node:timers/promises';
import { BenchmarkImports } from '../../../src/catalogue/benchmark-imports.js';
import { startTestService, type TestService } from '../../support/services/test-service.js';

/** Polls until a condition holds, because the time at which an import arrives on a replica is not known. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    if (await holds()) return;
    await sleep(25);
  }
  throw new Error('the condition was not met in time');
}

describe('an import of benchmarks', () => {
  let service: TestService;
  let imports: BenchmarkImports;
  const ORIGIN = { sourceUrl: 'https://scores.example', citation: 'Scores by Example', asOf: '2026-11-01' };
  beforeAll(async () => {
    service = await startTestService({ env: { RATE_LIMIT_BENCHMARKS: 'off' } });
    imports = service.app.get(BenchmarkImports, { strict: false });
  });
  afterAll(() => service.stop());

  it('replaces the values of the index source with those of a CSV file, and sorts models by them', async () => {
    const csv =
      'source,model_permaslug,display_name,intelligence_index,coding_index,agentic_index\n' +
      'index-source,openai/gpt-5.4,"GPT-5.4, the ""new"" one",70.5,,1\n' +
      'artificial-analysis,anthropic/claude-opus-4-5,Opus,71,60,\n';
    expect(await imports.import(csv, ORIGIN)).toEqual({ source: 'index-source', scores: 2 });
    await until(
      async () => (await service.standard.get('/benchmarks?source=index-source')).json.meta.as_of === '2026-11-01',
    );
    const { json } = await service.standard.get('/benchmarks?source=index-source');
    expect(json.data.map((item: object) => Object.values(item).slice(1, 6))).toEqual([
      ['anthropic/claude-opus-4-5', 'Opus', 71, 60, null],
      ['openai/gpt-5.4', 'GPT-5.4, the "new" one', 70.5, null, 1],
    ]);
    expect(json.meta).toEqual({
      as_of: '2026-11-01',
      model_count: 2,
      version: 'v1',
      citation: 'Scores by Example',
      source: 'index-source',
      source_url: 'https://scores.example',
      task_type: null,
    });
    expect(
      (await service.standard.get('/models?sort=intelligence-high-to-low&limit=2')).json.data.map(
        (model: { id: string }) => model.id,
      ),
    ).toEqual(['anthropic/claude-opus-4-5', 'openai/gpt-5.4']);
    expect((await service.standard.get('/models?min_intelligence_index=71')).json.data).toHaveLength(1);
  });

  it('accepts CSV and JSON of the arena source', async () => {
    const csv =
      'source,model_permaslug,display_name,arena,category,elo,win_rate,avg_generation_time_ms,first_place,' +
      'second_place,third_place,fourth_place,total\ndesign-arena,x/y,Y,builders,website,1200,50.5,,1,2,3,4,10';
    await imports.import(csv, ORIGIN);
    await until(
      async () => (await service.standard.get('/benchmarks?source=arena-source&arena=builders')).json.data.length === 1,
    );
    const first = (await service.standard.get('/benchmarks?source=arena-source&arena=builders')).json;
    expect(first.data[0]).toMatchObject({
      elo: 1200,
      win_rate: 50.5,
      avg_generation_time_ms: null,
      tournament_stats: { first_place: 1, total: 10 },
      pricing: null,
    });
    await imports.import(JSON.stringify(first), { ...ORIGIN, asOf: '2026-11-02' });
    await until(
      async () =>
        (await service.standard.get('/benchmarks?source=arena-source&arena=builders')).json.meta.as_of === '2026-11-02',
    );
    expect((await service.standard.get('/benchmarks?source=arena-source&arena=builders')).json.data).toEqual(
      first.data,
    );
  });

  const HEAD = 'source,model_permaslug,display_name,intelligence_index,coding_index,agentic_index';
  it.each([
    ['wrong columns', 'source,model\n', 1],
    ['an unknown source', `${HEAD}\nindex-source,a/b,B,1,2,3\nsomeone,a/b,B,1,2,3`, 3],
    ['a figure that is not a number', `${HEAD}\n\nindex-source,a/b,B,high,2,3`, 3],
    ['a missing cell', `${HEAD}\nindex-source,a/b,B,1,2`, 2],
    ['a quote that is not closed', `${HEAD}\nindex-source,a/b,"B,1,2,3`, 2],
    [
      'JSON with an unknown arena',
      '[\n{"source":"arena-source","model_permaslug":"a/b","display_name":"B",\n' +
        '"arena":"videos","category":"c","elo":1,"win_rate":1}]',
      3,
    ],
    [
      'mixed sources',
      '[{"source":"index-source","model_permaslug":"a/b","display_name":"B"},\n' +
        '{"source":"arena-source","model_permaslug":"a/b","display_name":"B","arena":"models","category":"c",' +
        '"elo":1,"win_rate":1}]',
      2,
    ],
    ['an empty file', HEAD, 1],
  ])('refuses %s, and names the line', async (_, text, line) => {
    const before = await service.sql.query('select max(no) as last from catalogue_import');
    await expect(imports.import(text, ORIGIN)).rejects.toMatchObject({ line });
    expect(await service.sql.query('select max(no) as last from catalogue_import')).toEqual(before);
  });

  it.each([
    [{ sourceUrl: 'nowhere' }, '--source-url'],
    [{ asOf: '2026-13-99' }, '--as-of'],
    [{ citation: ' ' }, '--citation'],
  ])('refuses the origin %j, and names the option', async (wrong, option) => {
    await expect(imports.import(HEAD, { ...ORIGIN, ...wrong })).rejects.toThrow(option);
  });
});
