import { Accounts } from '../../../src/tenancy/accounts.js';
import type { Role } from '../../../src/kernel/access/permissions.js';
import { firstOwner } from '../../support/console/console-browser.js';
import { IdentityStage } from '../../support/identity/identity-stage.js';

const DOMAIN = 'corp.example';

describe('an address of an identity provider', () => {
  let stage: IdentityStage;
  let noDomains: IdentityStage;
  let accounts: Accounts;
  let accountId: string;

  beforeAll(async () => {
    stage = await IdentityStage.start({
      provider: { DOMAINS: DOMAIN, DEFAULT_ROLE: 'viewer', ROLES: 'gw-dev=developer' },
    });
    noDomains = await IdentityStage.start({ provider: { ROLES: 'gw-dev=developer' } });
    accounts = stage.service.app.get(Accounts, { strict: false });
    ({ accountId } = await firstOwner(stage.service));
  }, 60_000);
  afterAll(async () => {
    await noDomains.stop();
    await stage.stop();
  });

  const groups: string[] = [];
  const member = async (email: string, role: Role = 'developer'): Promise<string> => {
    const user = await accounts.createUser('Member', email);
    await accounts.addMember(accountId, user.id, role, true);
    return user.id;
  };

  it('that is verified and in a domain makes a member with the default role', async () => {
    const email = `New@${DOMAIN.toUpperCase()}`;
    const { browser, answer } = await stage.signIn({ sub: 'new', email, email_verified: true, name: 'New', groups });
    expect(answer.status).toBe(303);
    expect(await stage.session(browser)).toMatchObject({
      role: 'viewer',
      user: { name: 'New', email: `new@${DOMAIN}` },
    });
  });

  it('counts as verified if email_verified is the string "true"', async () => {
    const claims = { sub: 'text', email: `text@${DOMAIN}`, email_verified: 'true', groups };
    expect((await stage.signIn(claims)).answer.status).toBe(303);
  });

  it.each<[string, Record<string, unknown>]>([
    ['unverified', { email: `a@${DOMAIN}`, email_verified: false }],
    ['unverified by the string "false"', { email: `a@${DOMAIN}`, email_verified: 'false' }],
    ['without email_verified', { email: `a@${DOMAIN}` }],
    ['absent', { email_verified: true }],
    ['of another domain', { email: 'a@evil.example', email_verified: true }],
    ['of a sub-domain', { email: `a@x.${DOMAIN}`, email_verified: true }],
    ['that ends in the domain', { email: `a@evil${DOMAIN}`, email_verified: true }],
    ['with two at signs', { email: `a@evil.example@${DOMAIN}`, email_verified: true }],
    ['with a Kelvin sign', { email: `\u212Aa@${DOMAIN}`, email_verified: true }],
    ['with a Cyrillic letter', { email: `\u0430@${DOMAIN}`, email_verified: true }],
    ['that is a list', { email: [`a@${DOMAIN}`], email_verified: true }],
  ])('%s makes no member', async (_name, claims) => {
    const { answer } = await stage.signIn({ sub: 'nobody', groups, ...claims });
    expect([answer.status, await stage.lastReason()]).toEqual([403, 'no_account']);
  });

  it('that is unverified makes no member, even with a matching group, if domains are set', async () => {
    const { answer } = await stage.signIn({ sub: 'grouped', email: `b@${DOMAIN}`, groups: ['gw-dev'] });
    expect([answer.status, await stage.lastReason()]).toEqual([403, 'address_not_allowed']);
  });

  it('links the identity once to the active member with this address, without changing the role', async () => {
    const userId = await member(`Linda@${DOMAIN}`, 'billing');
    const claims = { email: `linda@${DOMAIN}`, email_verified: true, groups };
    const { browser } = await stage.signIn({ sub: 'linda', ...claims });
    expect(await stage.session(browser)).toMatchObject({ role: 'billing', user: { id: userId } });
    const second = await stage.signIn({ sub: 'linda-two', ...claims });
    expect([second.answer.status, await stage.lastReason()]).toEqual([409, 'address_taken']);
  });

  it('with a plus is another address', async () => {
    const userId = await member(`plus@${DOMAIN}`);
    const { browser } = await stage.signIn({ sub: 'plus', email: `plus+x@${DOMAIN}`, email_verified: true, groups });
    expect((await stage.session(browser)).user.id).not.toBe(userId);
  });

  it.each(['owner', 'admin'] as const)('of an %s signs nobody in', async (role) => {
    const userId = await member(`${role}@${DOMAIN}`, role);
    const claims = { sub: `new-${role}`, email: `${role}@${DOMAIN}`, email_verified: true, groups };
    const { answer } = await stage.signIn(claims);
    expect([answer.status, await stage.lastReason()]).toEqual([409, 'address_taken']);
    expect(await stage.service.sql.query('select 1 from user_identity where user_id = $1', [userId])).toEqual([]);
  });

  it('of a deactivated member signs nobody in', async () => {
    const userId = await member(`gone@${DOMAIN}`);
    await stage.service.sql.query('update member set deactivated_at = now() where user_id = $1', [userId]);
    const { answer } = await stage.signIn({ sub: 'gone', email: `gone@${DOMAIN}`, email_verified: true, groups });
    expect(answer.status).toBe(409);
  });

  it('is ignored without domains: a group makes a member without an address', async () => {
    const email = `someone@${DOMAIN}`;
    const taken = await noDomains.service.app.get(Accounts, { strict: false }).createUser('Other', email);
    const { browser } = await noDomains.signIn({ sub: 'x', email, email_verified: true, groups: ['gw-dev'] });
    const { user } = await noDomains.session(browser);
    expect([user.email, user.id === taken.id]).toEqual([null, false]);
    const none = await noDomains.signIn({ sub: 'y', email, email_verified: true, groups: [] });
    expect([none.answer.status, await noDomains.lastReason()]).toEqual([403, 'no_account']);
  });

  it('of two subjects makes one user: the first sign-in of the second subject is refused', async () => {
    const claims = (sub: string): Record<string, unknown> => ({
      sub,
      email: `twin@${DOMAIN}`,
      email_verified: true,
      groups,
    });
    const answers = [];
    for (const sub of ['twin-a', 'twin-b']) answers.push((await stage.signIn(claims(sub))).answer.status);
    expect(answers).toEqual([303, 409]);
  });
});
