import { Sql } from '../../../src/database/sql.js';
import { Invitations } from '../../../src/members/invitations.js';
import { Memberships } from '../../../src/members/memberships.js';
import { firstOwner } from '../../support/console/console-browser.js';
import { makeMember } from '../../support/money/account-builders.js';
import { startTestService, type TestService } from '../../support/services/test-service.js';

/** Tests the classes that src/identity uses in its transactions. */
describe('a membership', () => {
  let service: TestService;
  let accountId: string;
  let members: Memberships;
  let invitations: Invitations;
  beforeAll(async () => {
    service = await startTestService();
    ({ accountId } = await firstOwner(service));
    members = service.app.get(Memberships, { strict: false });
    invitations = service.app.get(Invitations, { strict: false });
  });
  afterAll(() => service.stop());

  const rowOf = async (userId: string): Promise<object | undefined> =>
    (
      await service.sql.query<object>(
        'select role, role_source, deactivated_at is null as active from member where account_id = $1 and user_id = $2',
        [accountId, userId],
      )
    )[0];

  it('changes with the provider if the provider set it, and not if a person set it', async () => {
    const userId = await makeMember(service, { accountId });
    await members.setRole(accountId, userId, 'viewer', 'provider', 'service');
    expect(await rowOf(userId)).toEqual({ role: 'developer', role_source: 'manual', active: true });
    await members.deactivate(accountId, userId, 'provider', 'service');
    expect(await rowOf(userId)).toEqual({ role: 'developer', role_source: 'manual', active: true });

    await service.sql.query(`update member set role_source = 'provider' where user_id = $1`, [userId]);
    await members.setRole(accountId, userId, 'viewer', 'provider', 'service');
    expect(await rowOf(userId)).toEqual({ role: 'viewer', role_source: 'provider', active: true });
    await members.deactivate(accountId, userId, 'provider', 'service');
    expect(await rowOf(userId)).toEqual({ role: 'viewer', role_source: 'provider', active: false });
    await members.setRole(accountId, userId, 'admin', 'provider', 'service');
    expect(await rowOf(userId)).toEqual({ role: 'admin', role_source: 'provider', active: true });
    await members.deactivate(accountId, userId, 'manual', 'operator');
    await members.setRole(accountId, userId, 'admin', 'provider', 'service');
    expect(await rowOf(userId)).toEqual({ role: 'admin', role_source: 'manual', active: false });
  });

  it('begins with an invitation only if the invited address is verified, in any letter case', async () => {
    const request = { accountId, role: 'billing', workspaceIds: [], email: 'Ada@Example.com' } as const;
    const { invitation, token } = await invitations.create(request, 'operator');
    expect(await invitations.find(token)).toEqual(invitation);
    const user = (
      await service.sql.query<{ id: string }>(
        `insert into app_user (id, name, created_at) values (gen_random_uuid(), 'Ada', now()) returning id`,
      )
    )[0]!.id;
    const use = async (verifiedEmail: string | null): Promise<boolean> =>
      (await service.app
        .get(Sql, { strict: false })
        .transaction((session) => invitations.use(invitation.id, { userId: user, verifiedEmail }, session))) !== null;
    expect([await use(null), await use('eve@example.com')]).toEqual([false, false]);
    expect(await rowOf(user)).toBeUndefined();
    expect([await use('ada@example.com'), await use('ada@example.com')]).toEqual([true, false]);
    expect(await rowOf(user)).toEqual({ role: 'billing', role_source: 'invitation', active: true });
    expect(await invitations.find(token)).toBeNull();
  });

  it('of a higher role is not lowered by an invitation', async () => {
    const userId = await makeMember(service, { accountId }, { role: 'admin' });
    const request = { accountId, role: 'viewer', workspaceIds: [], email: null } as const;
    const { invitation } = await invitations.create(request, 'operator');
    await service.app
      .get(Sql, { strict: false })
      .transaction((session) => invitations.use(invitation.id, { userId, verifiedEmail: null }, session));
    expect(await rowOf(userId)).toEqual({ role: 'admin', role_source: 'invitation', active: true });
  });
});
