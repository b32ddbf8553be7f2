import { makeKey } from '../../support/api/api-builders.js';
import { ConsoleBrowser, signedIn } from '../../support/console/console-browser.js';
import { makePerson } from '../../support/members/account-people.js';
import { startTestService, type TestService } from '../../support/services/test-service.js';

interface Listed {
  readonly id: string;
  readonly kind: string;
  readonly is_current: boolean;
}

describe('the sessions of a member', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService();
  }, 60_000);
  afterAll(() => service.stop());

  const list = async (browser: ConsoleBrowser): Promise<Listed[]> =>
    (await browser.send('GET', '/console/sessions')).json.data as Listed[];
  const isOpen = async (browser: ConsoleBrowser): Promise<boolean> =>
    (await browser.send('GET', '/console/session')).status === 200;

  it('are listed without sessions of other members, and the current session is marked', async () => {
    const [first, second] = [await signedIn(service), await signedIn(service)];
    await makePerson(service, 'developer');
    const listed = await list(first);
    expect(listed.map(({ kind }) => kind)).toEqual(['code', 'code']);
    expect(listed.filter(({ is_current: isCurrent }) => isCurrent)).toHaveLength(1);
    expect((await list(second)).map(({ id }) => id)).toEqual(listed.map(({ id }) => id));
  });

  it('can be ended one by one, but not by other members', async () => {
    const [first, second] = [await signedIn(service), await signedIn(service)];
    const { browser: developer } = await makePerson(service, 'developer');
    const own = (await list(second)).find(({ is_current: isCurrent }) => isCurrent)!.id;
    for (const id of [own, 'x', '019ab0c4-1111-7a61-9d0e-1f2a3b4c5d6e'])
      expect((await developer.send('DELETE', `/console/sessions/${id}`)).status).toBe(404);
    expect(await isOpen(second)).toBe(true);
    expect((await first.send('DELETE', `/console/sessions/${own}`)).status).toBe(204);
    expect([await isOpen(first), await isOpen(second)]).toEqual([true, false]);
  });

  it('can be ended all at once, except for the current session', async () => {
    const [first, second, third] = [await signedIn(service), await signedIn(service), await signedIn(service)];
    const { browser: developer } = await makePerson(service, 'developer');
    const ended = await first.send('DELETE', '/console/sessions');
    expect(ended.status).toBe(200);
    expect(ended.json.ended_count).toBeGreaterThanOrEqual(2);
    const open = [await isOpen(first), await isOpen(second), await isOpen(third), await isOpen(developer)];
    expect(open).toEqual([true, false, false, true]);
    expect(await list(first)).toHaveLength(1);
  });

  it('are not listed in a session that was opened with a key without a member: it lists only itself', async () => {
    const { key } = await makeKey(service.management, { creator_user_id: null });
    const [first, second] = [new ConsoleBrowser(service.origin), new ConsoleBrowser(service.origin)];
    for (const browser of [first, second]) await browser.signIn({ key });
    const [own, other] = [await list(first), await list(second)];
    for (const listed of [own, other])
      expect(listed.map(({ kind, is_current: isCurrent }) => [kind, isCurrent])).toEqual([['key', true]]);
    expect(own[0]!.id).not.toBe(other[0]!.id);
  });
});
