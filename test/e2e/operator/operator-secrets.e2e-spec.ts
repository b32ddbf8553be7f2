import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeKey } from '../../support/api/api-builders.js';
import { makeSecondAccount } from '../../support/money/second-account.js';
import { operate } from '../../support/services/operator-line.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { startTestService, type TestService } from '../../support/services/test-service.js';

const [OLD, NEXT] = ['a1'.repeat(32), 'b2'.repeat(32)];
const idOf = (key: string): string => createHash('sha256').update(Buffer.from(key, 'hex')).digest('hex').slice(0, 16);

describe("the operator's commands for secrets and the audit record:", () => {
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

  it('secrets rotate-master-key changes the key of all secrets of a running service, and prints no key', async () => {
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
    const changeOn = async ({ management }: TestService): Promise<number> =>
      (await management.patch(`/byok/${made.id}`, { json: { key: 'another-key-of-some-length' } })).status;
    expect(await changeOn(service)).toBe(200);
    // The credential of another account gets a data key of its own.
    const other = service.as((await makeSecondAccount(service)).managementKey);
    const later = await other.post('/byok', { json: { provider: 'groq', key: 'a-later-key-of-some-length' } });
    expect(later.status).toBe(201);
    expect(await service.sql.query('select master_key_id from data_key')).toEqual(
      [made, later].map(() => ({ master_key_id: idOf(NEXT) })),
    );
    const restarted = await startTestService({ databaseUrl: service.databaseUrl, env: { MASTER_KEY: NEXT } });
    expect(await changeOn(restarted)).toBe(200);
    await restarted.stop();
  });

  it('secrets forget-master-key accepts the id of a retired key, and prints the next step', async () => {
    const lines = (file: string): Promise<{ lines: readonly string[]; notes: readonly string[]; error: unknown }> =>
      operate(
        service.databaseUrl,
        { DATABASE_URL: service.databaseUrl, MASTER_KEY_FILE: file },
        'secrets',
        'forget-master-key',
        retired,
      );
    const [current, retired] = [idOf(NEXT), idOf(OLD)];
    const folder = await temporaryFolder();
    const file = join(folder.path, 'keys');
    await writeFile(file, `gatehouse-master-keys 2\ncurrent ${NEXT}\nretired ${OLD}\n`);

    const done = await lines(file);

    expect([done.error, done.lines[1]]).toEqual([undefined, `${retired}  false`]);
    expect(done.notes.at(-1)).toBe(`Next: remove the line of the key ${retired} from ${file}, on every replica.`);
    const words = { DATABASE_URL: service.databaseUrl, MASTER_KEY_FILE: file };
    expect((await operate(service.databaseUrl, words, 'secrets', 'forget-master-key', current)).error).toMatchObject({
      message: `The master key ${current} is in force: rotate first`,
    });
    expect((await operate(service.databaseUrl, words, 'secrets', 'forget-master-key', OLD)).error).toMatchObject({
      message: expect.not.stringContaining(OLD),
    });
    await folder.remove();
  });

  it('secrets rotate-master-key is refused if there is no next key', async () => {
    expect((await operator('secrets', 'rotate-master-key')).error).toMatchObject({
      message: expect.stringMatching(/^There is no new master key to change to: set MASTER_KEY_NEXT/),
    });
  });

  it('audit list shows only the requested rows, the newest row first', async () => {
    const made = (await makeKey(service.management, { name: 'x' })).data;

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
  ])('%j is refused with a message of one line', async (words, message) => {
    const { error } = await operator(...words);

    expect((error as Error).message).toContain(message);
    expect((error as Error).message).not.toContain('\n');
  });
});
