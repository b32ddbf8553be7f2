import { randomUUID } from 'node:crypto';
import { ConsoleBrowser, firstOwner, signedIn } from '../../support/console/console-browser.js';
import { eventually } from '../../support/eventually.js';
import { operate } from '../../support/services/operator-line.js';
import { startTestService, type TestService } from '../../support/services/test-service.js';

describe("the operator's commands for the console", () => {
  let service: TestService;

  beforeAll(async () => {
    service = await startTestService();
  }, 60_000);
  afterAll(() => service.stop());

  const run = (...words: string[]): ReturnType<typeof operate> =>
    operate(service.databaseUrl, { MASTER_KEY: 'a1'.repeat(32), PORT: '3210' }, ...words);

  it('print a link for the only member of the only account', async () => {
    const { lines, error } = await run('console-link', '--json');
    expect(error).toBeUndefined();
    const { link } = JSON.parse(lines[0]!) as { link: string };
    const code = /^http:\/\/127\.0\.0\.1:3210\/console\/#code=([\w-]{22})$/.exec(link)?.[1];
    expect((await new ConsoleBrowser(service.origin).signIn({ code: code! })).status).toBe(201);
  });

  it('name a wrong option, and the option that is missing if there are several members', async () => {
    const { accountId } = await firstOwner(service);
    const { error: noUser } = await run('console-link', '--account', accountId, '--user', randomUUID());
    expect(String(noUser)).toContain('--user is not a member of this account');
    const { error: noAccount } = await run('console-link', '--account', randomUUID());
    expect(String(noAccount)).toContain('No account has the id');
    const [user] = (await run('users', 'create', 'Second', '--json')).lines;
    const { id } = JSON.parse(user!) as { id: string };
    await run('members', 'create', '--account', accountId, '--user', id);
    expect(String((await run('console-link')).error)).toContain('name one by --user');
    expect((await run('console-link', '--user', id)).error).toBeUndefined();
  });

  it('list sessions, and revoke a session by its id', async () => {
    const browser = await signedIn(service);
    const [newest] = await service.sql.query<{ id: string }>('select id from console_session order by id desc limit 1');
    const { id } = newest!;
    const listed = (await run('console-sessions', 'list', '--json')).lines.map((line) => JSON.parse(line) as object);
    expect(listed).toContainEqual(expect.objectContaining({ id, opened_by: 'code' }));
    expect((await run('console-sessions', 'revoke', id)).error).toBeUndefined();
    await eventually(async () => expect((await browser.get('/credits')).status).toBe(401));
    expect(String((await run('console-sessions', 'revoke', id)).error)).toContain('No session has the id');
  });
});
