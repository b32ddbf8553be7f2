import type { Command } from 'commander';
import { invalidRequest } from '../../kernel/errors/errors.js';
import type { Account } from '../../database/entities/account.entity.js';
import type { User } from '../../database/entities/user.entity.js';
import type { Workspace } from '../../database/entities/workspace.entity.js';
import { Accounts } from '../../tenancy/accounts.js';
import { Workspaces } from '../../tenancy/workspaces.js';
import { recorded } from '../operator-audit.js';
import type { OpenOperator } from '../operator-session.js';
import { print } from '../output.js';
import { accountOf, id } from './option-values.js';

/** The commands `accounts`, `users` and `workspaces`, each with `list` and `create`. */
export function accountCommands(program: Command, open: OpenOperator): void {
  const accounts = program.command('accounts').description('accounts, which pay for the calls of their keys');
  accounts
    .command('list')
    .description('list every account')
    .action((options: { json?: boolean }) =>
      open(async (rooms) => {
        const all = await rooms.get(Accounts).list();
        const rows = all.map(({ id, name, createdAt }) => ({ id, name, created_at: createdAt }));
        print(rows, options.json);
      }),
    );
  accounts
    .command('create <name>')
    .description('create an account with its default workspace; it has no members at first')
    .action((name: string, options: { json?: boolean }) =>
      open(async (rooms) => {
        const audited = recorded<Account>(rooms, 'create', 'account', (row) => ({ id: row.id, accountId: row.id }));
        const { account, workspace } = await rooms.get(Accounts).create(named(name), audited);
        print([{ id: account.id, name: account.name, default_workspace: workspace.id }], options.json);
      }),
    );
  userCommands(program, open);
  workspaceCommands(program, open);
}

function userCommands(program: Command, open: OpenOperator): void {
  const users = program.command('users').description('users, who are members of accounts');
  users
    .command('list')
    .description('list every user')
    .action((options: { json?: boolean }) =>
      open(async (rooms) => {
        const all = await rooms.get(Accounts).listUsers();
        const rows = all.map(({ id, name, email, createdAt }) => ({ id, name, email, created_at: createdAt }));
        print(rows, options.json);
      }),
    );
  users
    .command('create <name>')
    .description('create a user')
    .option('--email <address>', 'e-mail address, unique')
    .action((name: string, options: { email?: string; json?: boolean }) =>
      open(async (rooms) => {
        const user = await rooms.get(Accounts).createUser(
          named(name),
          options.email ?? null,
          recorded<User>(rooms, 'create', 'user', (made) => ({ id: made.id })),
        );
        print([{ id: user.id, name: user.name, email: user.email }], options.json);
      }),
    );
}

function workspaceCommands(program: Command, open: OpenOperator): void {
  const workspaces = program.command('workspaces').description('workspaces, the divisions of an account');
  workspaces
    .command('list')
    .description('list workspaces')
    .option('--account <id>', 'only of this account')
    .action((options: { account?: string; json?: boolean }) =>
      open(async (rooms) => {
        const all = await rooms.get(Workspaces).list(options.account && id(options.account, '--account'));
        const rows = all.map((workspace) => ({
          id: workspace.id,
          account: workspace.accountId,
          name: workspace.name,
          slug: workspace.slug,
          default: workspace.isDefault,
          interns: workspace.internsAllowed,
        }));
        print(rows, options.json);
      }),
    );
  workspaces
    .command('create <name>')
    .description('create a workspace in an account')
    .requiredOption('--account <id>', 'the account')
    .option('--slug <slug>', 'short name, unique in the account; default: derived from the name')
    .action((name: string, options: { account: string; slug?: string; json?: boolean }) =>
      open(async (rooms) => {
        const { id: accountId } = await accountOf(rooms, options.account);
        const slug =
          options.slug ??
          named(name)
            .toLowerCase()
            .replace(/[^a-z0-9]+/g, '-')
            .replace(/^-|-$/g, '');
        if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(slug))
          throw invalidRequest('--slug must be of lowercase letters and digits, joined by single hyphens');
        const audited = recorded<Workspace>(rooms, 'create', 'workspace', (made) => ({ id: made.id, accountId }));
        const workspace = await rooms
          .get(Workspaces)
          .create({ accountId, name: named(name), slug, description: null, createdBy: null }, audited);
        print([{ id: workspace.id, name: workspace.name, slug: workspace.slug }], options.json);
      }),
    );
}

function named(text: string): string {
  const name = text.trim();
  if (name === '') throw invalidRequest('The name is empty');
  return name;
}
