import { ROLES, WORKSPACE_ROLES } from '../../../src/kernel/access/permissions.js';
import { ConsoleBrowser, firstOwner } from '../../support/console/console-browser.js';
import { makePerson, type Person } from '../../support/members/account-people.js';
import { RandomNumbers } from '../../support/random-numbers.js';
import { startTestService, type TestService } from '../../support/services/test-service.js';

const CHANGES = Number(process.env['ROLE_CHANGES'] ?? 100);
const SEED = Number(process.env['ROLE_SEED'] ?? Date.now() % 1_000_000);
const MAX_MS = 60_000 + CHANGES * 2_000;

interface Row {
  readonly action: string;
  readonly kind: string;
  readonly id: string;
  readonly role: string | null;
  readonly userId: string | null;
  readonly address: string | null;
  readonly at: Date;
  readonly actor: string;
}

/** A successful change: the acting member, the changed member, and the new role. */
interface Done {
  readonly by: string | null;
  readonly subject: string;
  /** `ended`: deactivated; `gone`: removed. */
  readonly role: string;
  readonly source: 'manual' | 'invitation';
}

describe('the audit', () => {
  let service: TestService;
  let accountId: string;
  const people: Person[] = [];
  beforeAll(async () => {
    service = await startTestService({ env: { RATE_LIMIT_MANAGEMENT: 'off' } });
    ({ accountId } = await firstOwner(service));
  }, 60_000);
  afterAll(() => service.stop());

  it(
    `has actor, member, role, time and address of ${CHANGES} random changes`,
    async () => {
      process.stdout.write(`role changes: ROLE_CHANGES=${CHANGES} ROLE_SEED=${SEED}\n`);
      const numbers = new RandomNumbers(SEED);
      const random = (): number => numbers.next();
      const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!;
      const initial = new Map<string, string>();
      for (const role of ROLES) {
        const person = await makePerson(service, role);
        people.push(person);
        initial.set(`${accountId}/${person.userId}`, role);
      }
      const { userId: ownerId } = await firstOwner(service);
      initial.set(`${accountId}/${ownerId}`, 'owner');
      const workspace = (await service.management.post('/workspaces', { json: { name: 'T', slug: 't' } })).json.data.id;
      const [from] = await service.sql.query<{ id: string }>('select max(id)::text as id from audit_entry');
      const done: Done[] = [];
      const steps = {
        role: async () => {
          const [{ userId }, role] = [pick(people), pick(ROLES)];
          const { status } = await service.management.patch(`/members/${userId}`, { json: { role } });
          if (status === 200) done.push({ by: ownerId, subject: `${accountId}/${userId}`, role, source: 'manual' });
          return status;
        },
        deactivate: async () => {
          const { userId } = pick(people);
          const { status } = await service.management.post(`/members/${userId}/deactivate`, {});
          if (status === 200)
            done.push({ by: ownerId, subject: `${accountId}/${userId}`, role: 'ended', source: 'manual' });
          return status;
        },
        remove: async () => {
          if (people.length < 4) return 0;
          const [{ userId }] = people.splice(Math.floor(random() * people.length), 1) as [Person];
          const { status } = await service.management.delete(`/members/${userId}`);
          done.push({ by: ownerId, subject: `${accountId}/${userId}`, role: 'gone', source: 'manual' });
          return status;
        },
        invite: async () => {
          const role = pick(ROLES);
          const workspaceIds = random() < 0.5 ? [workspace] : [];
          const json = { role, workspace_ids: workspaceIds };
          const { url } = (await service.management.post('/invitations', { json })).json;
          const browser = new ConsoleBrowser(service.origin);
          const token = (url as string).split('#invitation=')[1]!;
          const { status, json: opened } = await browser.send('POST', '/console/session', {
            json: { invitation: token },
          });
          const { id: userId } = opened.data.user as { id: string };
          people.push({ userId, browser });
          done.push({ by: null, subject: `${accountId}/${userId}`, role, source: 'invitation' });
          return status;
        },
        workspace: async () => {
          const [{ userId }, role] = [pick(people), pick(WORKSPACE_ROLES)];
          await service.management.post(`/workspaces/t/members/add`, { json: { user_ids: [userId] } });
          const path = `/workspaces/t/members/${userId}`;
          return (await service.management.patch(path, { json: { role } })).status;
        },
        leave: async () =>
          (await service.management.post('/workspaces/t/members/remove', { json: { user_ids: [pick(people).userId] } }))
            .status,
      };
      for (let change = 0; change < CHANGES; change++) {
        const status = await pick(Object.values(steps))();
        expect(status).toBeLessThan(500);
      }
      const rows = await service.sql.query<Row>(
        `select action, resource_kind as kind, resource_id as id, role, user_id as "userId", address, at, actor
       from audit_entry where audit_entry.id > $1::bigint order by audit_entry.id`,
        [from!.id],
      );
      expect(replayed(rows, initial)).toEqual(await present());
      const given = rows.filter(({ kind, action }) => kind === 'member' && action !== 'refuse');
      for (const { address, actor, userId, at } of given) {
        expect([address, actor === 'service' ? null : userId]).toEqual([
          '127.0.0.1',
          actor === 'service' ? null : ownerId,
        ]);
        expect(at.getTime()).toBeGreaterThan(0);
      }
      // Each successful request that changed something has a row, in this order.
      const word = { deactivate: 'ended', delete: 'gone' } as Record<string, string>;
      const changes = given.map(({ userId, id, role, action }) => [userId, id, word[action] ?? role]);
      expect(withoutRepetitions(done, initial).map(({ by, subject, role }) => [by, subject, role])).toEqual(changes);
      // The creator and the user of each invitation.
      const used = rows.filter(({ kind, action }) => kind === 'invitation' && action === 'use');
      const made = rows.filter(({ kind, action }) => kind === 'invitation' && action === 'create');
      expect(made.every(({ userId }) => userId === ownerId)).toBe(true);
      expect(used.map(({ id }) => id.split('/')[0])).toEqual(made.map(({ id }) => id));
    },
    MAX_MS,
  );

  /** Roles by member and by workspace membership, computed only from the audit rows. */
  function replayed(rows: readonly Row[], initial: ReadonlyMap<string, string>): Record<string, string> {
    const state = new Map(initial);
    for (const { kind, action, id, role } of rows) {
      if ((kind !== 'member' && kind !== 'workspace_member') || action === 'refuse') continue;
      if (action === 'deactivate') state.set(id, 'ended');
      else if (action === 'delete') state.delete(id);
      else state.set(id, role!);
      if (kind === 'member' && action === 'delete')
        for (const key of state.keys()) if (key.endsWith(`/${id.split('/')[1]}`)) state.delete(key);
    }
    return Object.fromEntries(state);
  }

  async function present(): Promise<Record<string, string>> {
    const rows = await service.sql.query<{ id: string; role: string }>(
      `select account_id || '/' || user_id as id, case when deactivated_at is null then role else 'ended' end as role
       from member
       union all select workspace_id || '/' || user_id, role from workspace_member`,
    );
    return Object.fromEntries(rows.map(({ id, role }) => [id, role]));
  }

  /** Removes requests without effect: setting the current role, and deactivating a member twice. */
  function withoutRepetitions(done: readonly Done[], initial: ReadonlyMap<string, string>): Done[] {
    const state = new Map([...initial].map(([subject, role]) => [subject, `${role} manual`]));
    return done.filter(({ subject, role, source }) => {
      const now = role === 'ended' || role === 'gone' ? role : `${role} ${source}`;
      const isSame = state.get(subject) === now;
      state.set(subject, now);
      return !isSame;
    });
  }
});
