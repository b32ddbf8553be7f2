import type { INestApplicationContext } from '@nestjs/common';
import type { Command } from 'commander';
import { ApiKeys } from '../../auth/api-keys.js';
import { Balances } from '../../billing/balances.js';
import type { ApiKey } from '../../database/entities/api-key.entity.js';
import { isAbove, isRole, PERMISSIONS, type Role } from '../../kernel/access/permissions.js';
import { invalidRequest } from '../../kernel/errors/errors.js';
import { Accounts } from '../../tenancy/accounts.js';
import { Workspaces } from '../../tenancy/workspaces.js';
import { recordedKey } from '../operator-audit.js';
import type { OpenOperator } from '../operator-session.js';
import { print, SHOWN_HASH_CHARACTERS, Usd } from '../output.js';
import { keyCacheCommand } from './key-cache-command.js';
import { accountOf, amount, id, keyOf } from './option-values.js';

const PAGE = 1_000;

interface CreateOptions {
  readonly account?: string;
  readonly workspace?: string;
  readonly class: string;
  readonly role?: string;
  readonly user?: string;
  readonly limit?: string;
  readonly json?: boolean;
}

interface ListOptions {
  readonly account?: string;
  readonly workspace?: string;
  readonly json?: boolean;
}

/** `keys list`, `create`, `disable`, `enable` and `cache`. */
export function keyCommands(program: Command, open: OpenOperator): void {
  const keys = program.command('keys').description('API keys');
  keys
    .command('list')
    .description('list every key with its limit and spend, newest first')
    .option('--account <id>', 'only of this account')
    .option('--workspace <id>', 'only of this workspace')
    .action((options: ListOptions) => open((rooms) => list(rooms, options)));
  keys
    .command('create <name>')
    .description('create an API key; its secret is printed once and stored nowhere')
    .option('--account <id>', 'the account; default: the first one')
    .option('--workspace <id>', "the workspace; default: the account's default workspace")
    .option('--class <class>', 'standard (inference and reads) or management (administration)', 'standard')
    .option('--role <role>', 'of a management key: owner or admin; default: owner')
    .option('--user <id>', 'the member on whose behalf the key acts; default: none')
    .option('--limit <usd>', 'spending limit in USD; default: unlimited')
    .action((name: string, options: CreateOptions) => open((rooms) => create(rooms, name, options)));
  keyCacheCommand(keys, open);
  for (const [word, disabled] of [
    ['disable', true],
    ['enable', false],
  ] as const) {
    keys
      .command(`${word} <hash>`)
      .description(
        disabled
          ? 'refuse a key from now on, on every replica; it can be enabled again'
          : 'accept a disabled key again',
      )
      .action((hash: string, options: { json?: boolean }) =>
        open(async (rooms) => {
          const key = await keyOf(rooms, hash);
          const changed = key.disabled !== disabled;
          if (changed) await rooms.get(ApiKeys).change(key, key.hash, { disabled }, recordedKey(rooms, 'update'));
          print([{ hash: key.hash, name: key.name, disabled, changed }], options.json);
        }),
      );
  }
}

async function list(rooms: INestApplicationContext, options: ListOptions): Promise<void> {
  const where = {
    ...(options.account ? { accountId: id(options.account, '--account') } : {}),
    ...(options.workspace ? { workspaceId: id(options.workspace, '--workspace') } : {}),
  };
  const found: ApiKey[] = [];
  for (let offset = 0; offset === found.length; offset += PAGE) {
    found.push(...(await rooms.get(ApiKeys).list(where, { offset, limit: PAGE })));
  }
  const spends = await rooms.get(Balances).ofKeys(found.map(({ no }) => no));
  const { json } = options;
  const rows = found.map((key) => ({
    hash: json ? key.hash : key.hash.slice(0, SHOWN_HASH_CHARACTERS),
    name: key.name,
    label: key.label,
    class: key.keyClass,
    ...(json ? { account: key.accountId, workspace: key.workspaceId } : {}),
    disabled: key.disabled,
    limit_usd: key.limitNano === null ? null : new Usd(key.limitNano),
    limit_reset: key.limitReset,
    spent_usd: new Usd(spends.get(key.no)?.usage.total ?? 0n),
    expires_at: key.expiresAt,
  }));
  print(rows, json);
}

async function create(rooms: INestApplicationContext, name: string, options: CreateOptions): Promise<void> {
  if (options.class !== 'standard' && options.class !== 'management')
    throw invalidRequest('--class must be standard or management');
  const role = roleOf(options);
  const account = await accountOf(rooms, options.account);
  const workspaces = rooms.get(Workspaces);
  const workspace = options.workspace
    ? await workspaces.find({ accountId: account.id }, id(options.workspace, '--workspace'))
    : await workspaces.defaultOf(account.id);
  if (!workspace) throw invalidRequest('--workspace must be the id of a workspace of this account');
  const creatorUserId = options.user ? id(options.user, '--user') : null;
  await assertMayHave(rooms, account.id, creatorUserId, role);
  const limitNano = options.limit === undefined ? null : amount(options.limit, '--limit');
  if (limitNano !== null && limitNano < 0n) throw invalidRequest('--limit must not be negative');
  const request = {
    accountId: account.id,
    workspaceId: workspace.id,
    keyClass: options.class,
    role,
    name,
    creatorUserId,
    limitNano,
  } as const;
  const { key, secret } = await rooms.get(ApiKeys).issue(request, undefined, recordedKey(rooms, 'create'));
  print([{ hash: key.hash, class: key.keyClass, role: key.role, key: secret }], options.json);
}

/** The role for a management key; undefined for a standard key. */
function roleOf({ class: keyClass, role }: CreateOptions): Role | undefined {
  if (keyClass !== 'management') {
    if (role !== undefined) throw invalidRequest('--role is for keys of the class management');
    return undefined;
  }
  const given = role ?? 'owner';
  if (!isRole(given) || PERMISSIONS['keys.manage'][given] === 'none')
    throw invalidRequest('--role must be owner or admin');
  return given;
}

/** Throws if the user is not an active member, or if the role of the key is higher than the member's role. */
async function assertMayHave(
  rooms: INestApplicationContext,
  accountId: string,
  userId: string | null,
  role: Role | undefined,
): Promise<void> {
  if (userId === null) return;
  const own = await rooms.get(Accounts).roleOf(accountId, userId);
  if (own === null) throw invalidRequest('--user must be an active member of this account');
  if (role !== undefined && isAbove(role, own))
    throw invalidRequest(`--role ${role} is above the role of the member, who is ${own}`);
}
