import type { INestApplicationContext } from '@nestjs/common';
import type { Command } from 'commander';
import type { Member } from '../../database/entities/member.entity.js';
import { isRole, ROLES, type Role } from '../../kernel/access/permissions.js';
import { invalidRequest, notFound } from '../../kernel/errors/errors.js';
import { LinkedIdentities } from '../../members/linked-identities.js';
import { MemberList, type MemberOfAccount } from '../../members/member-list.js';
import { Memberships } from '../../members/memberships.js';
import { Accounts } from '../../tenancy/accounts.js';
import { recorded } from '../operator-audit.js';
import type { OpenOperator } from '../operator-session.js';
import { print } from '../output.js';
import { id } from './option-values.js';

interface MemberOptions {
  readonly account?: string;
  readonly json?: boolean;
}

interface LinkOptions extends MemberOptions {
  readonly issuer: string;
  readonly subject: string;
  readonly provider: string;
}

const USER = 'the id or the e-mail address of the user';
const ACCOUNT = 'the account; default: the only one that the user is a member of';

/** `members list`, `create`, `role`, `deactivate`, `remove` and `link`. */
export function memberCommands(program: Command, open: OpenOperator): void {
  const members = program.command('members').description('members: the users of accounts, and their roles');
  members
    .command('list')
    .description('list members with their roles, the source of each role, and their identities at providers')
    .option('--account <id>', 'only of this account')
    .action((options: MemberOptions) => open((rooms) => list(rooms, options)));
  members
    .command('create')
    .description('add a user to an account')
    .requiredOption('--account <id>', 'the account')
    .requiredOption('--user <id>', 'the user')
    .option('--role <role>', ROLES.join(', '), 'developer')
    .action((options: { account: string; user: string; role: string; json?: boolean }) =>
      open(async (rooms) => {
        const audited = recorded<Member>(rooms, 'create', 'member', ({ accountId, userId, role }) => ({
          id: `${accountId}/${userId}`,
          accountId,
          role,
        }));
        const member = await rooms
          .get(Accounts)
          .addMember(
            id(options.account, '--account'),
            id(options.user, '--user'),
            roleOf(options.role, '--role'),
            false,
            audited,
          );
        print([{ account: member.accountId, user: member.userId, role: member.role }], options.json);
      }),
    );
  members
    .command('role <user> <role>')
    .description(
      `change the role of a member (${ROLES.join(', ')}); sessions end, management keys above it are ` +
        `disabled or get a lower role, and a deactivated member becomes active. <user>: ${USER}`,
    )
    .option('--account <id>', ACCOUNT)
    .action((user: string, role: string, options: MemberOptions) =>
      changed(open, user, options, ({ accountId, userId }, memberships) =>
        memberships.setRole(accountId, userId, roleOf(role, '<role>'), 'manual', 'operator'),
      ),
    );
  members
    .command('deactivate <user>')
    .description(
      `end the keys, sessions and interns of a member, who stays in the list and is not added again by a provider. ` +
        `<user>: ${USER}`,
    )
    .option('--account <id>', ACCOUNT)
    .action((user: string, options: MemberOptions) =>
      changed(open, user, options, ({ accountId, userId }, memberships) =>
        memberships.deactivate(accountId, userId, 'manual', 'operator'),
      ),
    );
  members
    .command('remove <user>')
    .description(`end a membership, with the keys, sessions and interns of the member. <user>: ${USER}`)
    .option('--account <id>', ACCOUNT)
    .action((user: string, options: MemberOptions) =>
      changed(open, user, options, ({ accountId, userId }, memberships) =>
        memberships.remove(accountId, userId, 'operator'),
      ),
    );
  members
    .command('link <user>')
    .description(`let a user sign in with an identity at a provider. <user>: ${USER}`)
    .requiredOption('--issuer <url>', 'the issuer of the provider, exactly as its tokens have it')
    .requiredOption('--subject <text>', 'the claim `sub` of the person at the provider')
    .option(
      '--provider <name>',
      'the name of the provider to record, normally its name in OIDC_PROVIDERS; not checked',
      'operator',
    )
    .action((user: string, options: LinkOptions) => open((rooms) => link(rooms, user, options)));
}

async function list(rooms: INestApplicationContext, options: MemberOptions): Promise<void> {
  const accountId = options.account === undefined ? null : id(options.account, '--account');
  const all = await rooms.get(MemberList).all(accountId);
  const { json } = options;
  const rows = all.map((member) => ({
    account: member.accountId,
    user: member.userId,
    name: member.name,
    email: member.email,
    role: member.role,
    role_source: member.roleSource,
    deactivated_at: member.deactivatedAt,
    interns_programme: member.inInternsProgramme,
    identities: json ? member.identities : member.identities.join(', '),
  }));
  print(rows, json);
}

/** Changes one member, and prints the changed member. */
function changed(
  open: OpenOperator,
  user: string,
  options: MemberOptions,
  change: (member: MemberOfAccount, memberships: Memberships) => Promise<void>,
): Promise<void> {
  return open(async (rooms) => {
    const member = await memberOf(rooms, user, options.account);
    await change(member, rooms.get(Memberships));
    const now = await rooms.get(MemberList).find(member.accountId, member.userId);
    const state = { role: now?.role ?? null, active: now !== null && now.deactivatedAt === null };
    print([{ account: member.accountId, user: member.userId, ...state }], options.json);
  });
}

async function link(rooms: INestApplicationContext, user: string, options: LinkOptions): Promise<void> {
  const [member] = await rooms.get(MemberList).all(null, user);
  if (!member) throw notFound('<user> is not a member: `members list` shows the members');
  const { issuer, subject, provider } = options;
  if (!URL.canParse(issuer)) throw invalidRequest('--issuer must be a URL');
  if (subject === '') throw invalidRequest('--subject is empty');
  const identities = rooms.get(LinkedIdentities);
  await identities.link(member.userId, { issuer, subject, provider }, 'operator');
  print([{ user: member.userId, issuer, subject, provider }], options.json);
}

async function memberOf(
  rooms: INestApplicationContext,
  user: string,
  account: string | undefined,
): Promise<MemberOfAccount> {
  const accountId = account === undefined ? null : id(account, '--account');
  const found = await rooms.get(MemberList).all(accountId, user);
  if (found.length > 1)
    throw invalidRequest('<user> is a member of several accounts: name one by --account (members list shows them)');
  const [member] = found;
  if (!member) throw notFound('<user> is not a member: `members list` shows the members');
  return member;
}

function roleOf(text: string, option: string): Role {
  if (!isRole(text)) throw invalidRequest(`${option} must be one of ${ROLES.join(', ')}`);
  return text;
}
