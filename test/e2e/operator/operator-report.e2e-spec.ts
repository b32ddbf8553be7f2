import { makeKey } from '../../support/api/api-builders.js';
import { operate } from '../../support/services/operator-line.js';
import { startTestService, type TestService } from '../../support/services/test-service.js';

const SPEECH = { model: 'builtin/flite', voice: 'kal16', response_format: 'pcm', input: 'one' };
const SUMS = 'requests,errors,tokens_prompt,tokens_completion,images,characters,usage_usd,byok_usage_usd';

describe('usage report', () => {
  let service: TestService;
  let named: { key: string; data: { hash: string } };
  beforeAll(async () => {
    service = await startTestService();
    named = await makeKey(service.management, { name: '=cmd|"x",1' });
    for (const api of [service.standard, service.standard, service.as(named.key)])
      await api.post('/audio/speech', { json: SPEECH });
    await service.standard.post('/images', { json: { model: 'builtin/poster', prompt: 'x', size: '64x64', n: 2 } });
    // Costs in two months whose sum a double cannot represent.
    await service.sql.query('update generation set cost = 9007199254740993, images = null where modality = 2');
    await service.sql.query(`update generation set cost = 1 where modality = 1`);
  });
  afterAll(() => service.stop());
  const report = (...words: string[]) =>
    operate(
      service.databaseUrl,
      { DATABASE_URL: service.databaseUrl, MASTER_KEY: 'a1'.repeat(32) },
      'usage',
      'report',
      ...words,
    );

  it('sums the current month by model, to the nano-dollar, with the largest spend first', async () => {
    const { lines, notes, error } = await report('--csv');

    expect(error).toBeUndefined();
    expect(lines).toEqual([
      `model,${SUMS}`,
      'builtin/flite,3,0,0,0,0,9,27021597.764222979,0.00',
      'builtin/poster,1,0,0,0,2,0,0.000000001,0.00',
    ]);
    expect(notes.at(-1)).toMatch(/^From \d{4}-\d{2}-01T00:00:00.000Z to .*Z: 4 requests, 27021597.76422298 USD\.$/);
  });

  it('groups by model and key, and escapes spreadsheet formulas in CSV', async () => {
    const { lines } = await report('--by', 'model,key', '--csv');

    expect(lines[0]).toBe(`model,key,key_name,${SUMS}`);
    expect((await report('--json')).lines[0]).toContain('"usage_usd":27021597.764222979,');
    expect(lines[2]).toBe(`builtin/flite,${named.data.hash},"'=cmd|""x"",1",1,0,0,0,0,3,9007199.254740993,0.00`);
    expect(lines).toHaveLength(4);
    expect((await report('--by', 'key')).lines.join('\n')).toMatch(
      new RegExp(`^${named.data.hash.slice(0, 16)} +=cmd`, 'm'),
    );
  });

  it.each(['day', 'month', 'account', 'workspace', 'key', 'model', 'provider', 'user', 'modality'])(
    'by %s counts each call in exactly one row',
    async (group) => {
      const { lines, error } = await report('--by', group, '--json');

      expect(error).toBeUndefined();
      const rows = lines.map((line) => JSON.parse(line) as Record<string, number>);
      expect(rows.reduce((sum, row) => sum + row['requests']!, 0)).toBe(4);
      expect(Object.keys(rows[0]!)).toContain(group);
    },
  );

  it('includes calls at the start time, and excludes calls at the end time', async () => {
    await service.sql.query(`update generation set created_at = '2026-01-31T23:59:59.999Z' where modality = 1`);

    expect(
      (await report('--from', '2026-01-01', '--to', '2026-02-01', '--by', 'month', '--csv')).lines.slice(1),
    ).toEqual(['2026-01,1,0,0,0,2,0,0.000000001,0.00']);
    expect((await report('--from', '2026-01-01', '--to', '2026-01-31T23:59:59.999Z')).lines).toEqual(['(none)']);
    expect((await report('--from', '2026-02-01', '--to', '2026-03-01', '--csv')).lines).toEqual([`model,${SUMS}`]);
  });

  it.each([
    [
      ['--by', 'model,colour'],
      '--by takes day, month, account, workspace, key, model, provider, user, modality, separated by commas; ' +
        '"colour" is none of them',
    ],
    [['--from', '2026-02-01', '--to', '2026-02-01'], '--from must be before --to'],
    [['--from', 'yesterday'], '--from must be an ISO 8601 time'],
    [['--account', 'x'], '--account must be an id'],
    [['--csv', '--json'], "option '--csv' cannot be used with option '--json'"],
  ])('refuses %j with a message that names the fault', async (words, message) => {
    expect((await report(...words)).error).toMatchObject({ message: expect.stringContaining(message) });
  });
});
