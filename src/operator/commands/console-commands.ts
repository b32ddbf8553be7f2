import type { INestApplicationContext } from '@nestjs/common';
import type { Command } from 'commander';
import { Config } from '../../config/config.js';
import { localOrigin } from '../../http/edge/listening.js';
import { invalidRequest, notFound } from '../../kernel/errors/errors.js';
import { ConsoleCodes } from '../../sessions/console-codes.js';
import { ConsoleSessions } from '../../sessions/console-sessions.js';
import { Accounts } from '../../tenancy/accounts.js';
import type { OpenOperator } from '../operator-session.js';
import { print } from '../output.js';
import { accountOf, id } from './option-values.js';

interface LinkOptions {
  readonly account?: string;
  readonly user?: string;
  readonly json?: boolean;
}

/** `console-link`, and `console-sessions list` and `revoke`. */
export function consoleCommands(program: Command, open: OpenOperator): void {
  program
    .command('console-link')
    .description('print a link that signs a member in to the console; it is valid once and for five minutes')
    .option('--account <id>', 'the account; default: the only one')
    .option('--user <id>', 'the member to sign in as; default: the only member of the account')
    .action((options: LinkOptions) => open((rooms) => link(rooms, options)));
  const sessions = program.command('console-sessions').description('browsers that are signed in to the console');
  sessions
    .command('list')
    .description('list every session that has not ended, the newest first')
    .action((options: { json?: boolean }) =>
      open(async (rooms) => {
        const all = await rooms.get(ConsoleSessions).list();
        const rows = all.map((session) => ({
          id: session.id,
          account: session.accountId,
          user: session.userId,
          opened_by: session.openedBy,
          created_at: session.createdAt,
          expires_at: session.expiresAt,
        }));
        print(rows, options.json);
      }),
    );
  sessions
    .command('revoke <id>')
    .description('end a session now, on every replica')
    .action((session: string, options: { json?: boolean }) =>
      open(async (rooms) => {
        const sessionId = id(session, '<id>');
        const ended = await rooms.get(ConsoleSessions).end(sessionId, { action: 'delete', by: 'operator' });
        if (!ended) throw notFound(`No session has the id ${sessionId}: console-sessions list shows them`);
        print([{ id: sessionId, revoked: true }], options.json);
      }),
    );
}

async function link(rooms: INestApplicationContext, options: LinkOptions): Promise<void> {
  const accounts = rooms.get(Accounts);
  if (!options.account && (await accounts.list()).length > 1)
    throw invalidRequest('There are several accounts: name one by --account (accounts list shows them)');
  const { id: accountId } = await accountOf(rooms, options.account);
  const userId = options.user ? id(options.user, '--user') : await onlyMember(accounts, accountId);
  if (!(await accounts.isMember(accountId, userId)))
    throw invalidRequest('--user is not a member of this account: `members list` shows the members');
  const { PUBLIC_BASE_URL, HOST, PORT } = rooms.get(Config).values;
  // This is the address of a service that runs with the same environment.
  const base = PUBLIC_BASE_URL ?? localOrigin(HOST, PORT);
  const made = await rooms.get(ConsoleCodes).link(base, { accountId, userId }, 'operator');
  print([{ link: made.url, expires_at: made.expiresAt }], options.json);
}

async function onlyMember(accounts: Accounts, accountId: string): Promise<string> {
  const members = await accounts.listMembers(accountId);
  if (members.length === 1) return members[0]!.userId;
  throw invalidRequest(
    members.length === 0
      ? 'The account has no member: `members create` adds one'
      : 'The account has several members: name one by --user (members list shows them)',
  );
}
