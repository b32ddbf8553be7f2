import { operate } from '../support/operator-line.js';
import { startTestService, type TestService } from '../support/test-service.js';

const [OLD, NEXT] = ['a1'.repeat(32), 'b2'.repeat(32)];

describe("the operator's commands for secrets and the audit record", () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ env: { MASTER_KEY: OLD, MASTER_KEY_NEXT: NEXT } });
  });
  afterAll(() => service.stop());
  const operator = (...words: string[]) =>
    operate(
      service.databaseUrl,
      { DATABASE_URL: service.databaseUrl, MASTER_KEY: OLD, MASTER_KEY_NEXT: NEXT },
      ...words,
    );

  it('secrets rotate-master-key changes the key under a running service, and names no key', async () => {
    const made = (
      await service.management.post('/byok', { json: { provider: 'cerebras', key: 'a-vendor-key-of-some-length' } })
    ).json.data;

    const { lines, error } = await operator('secrets', 'rotate-master-key', '--json');

    expect(error).toBeUndefined();
    expect(JSON.parse(lines.join(''))).toMatchObject({
      rewrapped: 1,
      damaged: 0,
      next: expect.stringContaining('MASTER_KEY_NEXT'),
    });
    expect(lines.join('')).not.toMatch(new RegExp(`${OLD}|${NEXT}`));
    expect(
      (await service.management.patch(`/byok/${made.id}`, { json: { key: 'another-key-of-some-length' } })).status,
    ).toBe(200);
  });

  it('secrets rotate-master-key refuses in one line where there is no next key', async () => {
    expect((await operator('secrets', 'rotate-master-key')).error).toMatchObject({
      message: expect.stringMatching(/^There is no new master key to change to: set MASTER_KEY_NEXT/),
    });
  });

  it('audit list shows the newest first, and only what is asked for', async () => {
    const made = (await service.management.post('/keys', { json: { name: 'x' } })).json.data;

    const all = (await operator('audit', 'list', '--json')).lines.map(
      (line) => JSON.parse(line) as Record<string, string>,
    );
    expect(all[0]).toMatchObject({
      actor: 'key',
      action: 'create',
      kind: 'api_key',
      id: made.hash,
      address: '127.0.0.1',
    });
    expect(all.map(({ kind }) => kind)).toContain('master_key');
    const some = (
      await operator(
        'audit',
        'list',
        '--kind',
        'api_key',
        '--id',
        made.hash,
        '--limit',
        '1',
        '--since',
        '2026-01-01',
        '--json',
      )
    ).lines;
    expect(some).toHaveLength(1);
    expect((await operator('audit', 'list', '--since', '2999-01-01')).lines).toEqual(['(none)']);
    expect((await operator('audit', 'list')).lines[0]).toMatch(/^at +actor/);
  });

  it.each([
    [['audit', 'list', '--limit', '0'], '--limit must be a whole number from 1 to 10000'],
    [
      ['audit', 'list', '--since', 'yesterday'],
      '--since must be an ISO 8601 time such as 2026-11-20 or 2026-11-20T10:00:00Z',
    ],
    [['audit', 'list', '--account', 'x'], '--account'],
  ])('%j is refused in one clear line', async (words, message) => {
    const { error } = await operator(...words);

    expect((error as Error).message).toContain(message);
    expect((error as Error).message).not.toContain('\n');
  });
});
