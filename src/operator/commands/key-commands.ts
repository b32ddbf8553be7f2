import type { INestApplicationContext } from '@nestjs/common';
import type { Command } from 'commander';
import { ApiKeys } from '../../auth/api-keys.js';
import { Balances, type Grant } from '../../billing/balances.js';
import type { Account } from '../../database/account.entity.js';
import type { ApiKey } from '../../database/api-key.entity.js';
import { invalidRequest } from '../../kernel/errors.js';
import { newId } from '../../kernel/ids.js';
import { MAX_NANO, nanoToUsd, parseDecimal, toNano, type Nano } from '../../kernel/money.js';
import { Accounts } from '../../tenancy/accounts.js';
import { Workspaces } from '../../tenancy/workspaces.js';
import { recorded } from '../operator-audit.js';
import type { OpenOperator } from '../operator-session.js';
import { print } from '../output.js';
import { id } from './account-commands.js';

interface CreateOptions {
  readonly account?: string;
  readonly workspace?: string;
  readonly class: string;
  readonly user?: string;
  readonly limit?: string;
  readonly json?: boolean;
}

/** `keys create` and `credits grant`. */
export function keyCommands(program: Command, open: OpenOperator): void {
  program
    .command('keys')
    .description('API keys')
    .command('create <name>')
    .description('make an API key; its secret is printed once and stored nowhere')
    .option('--account <id>', 'the account; default: the first one')
    .option('--workspace <id>', "the workspace; default: the account's default workspace")
    .option('--class <class>', 'standard (inference and reads) or management (administration)', 'standard')
    .option('--user <id>', 'the member on whose behalf the key acts; default: none')
    .option('--limit <usd>', 'spending limit in USD; default: unlimited')
    .option('--json', 'one JSON object a line')
    .action((name: string, options: CreateOptions) =>
      open(async (rooms) => {
        if (options.class !== 'standard' && options.class !== 'management')
          throw invalidRequest('--class must be standard or management');
        const account = await accountOf(rooms, options.account);
        const workspaces = rooms.get(Workspaces, { strict: false });
        const workspace = options.workspace
          ? await workspaces.find(account.id, id(options.workspace, '--workspace'))
          : await workspaces.defaultOf(account.id);
        if (!workspace) throw invalidRequest('--workspace names no workspace of this account');
        const creatorUserId = options.user ? id(options.user, '--user') : null;
        if (creatorUserId && !(await rooms.get(Accounts, { strict: false }).isMember(account.id, creatorUserId)))
          throw invalidRequest('--user names no member of this account');
        const limitNano = options.limit === undefined ? null : amount(options.limit, '--limit');
        if (limitNano !== null && limitNano < 0n) throw invalidRequest('--limit must not be negative');
        const wanted = {
          accountId: account.id,
          workspaceId: workspace.id,
          keyClass: options.class,
          name,
          creatorUserId,
          limitNano,
        } as const;
        const audited = recorded<ApiKey>(rooms, 'create', 'api_key', ({ hash }) => ({
          id: hash,
          accountId: account.id,
        }));
        const { key, secret } = await rooms.get(ApiKeys, { strict: false }).issue(wanted, undefined, audited);
        print([{ hash: key.hash, class: key.keyClass, key: secret }], options.json ?? false);
      }),
    );
  program
    .command('credits')
    .description("an account's credits")
    .command('grant <usd>')
    .description('add credits to an account; a negative amount is a correction')
    .requiredOption('--reason <text>', 'why, kept in the ledger')
    .option('--account <id>', 'the account; default: the first one')
    .option('--idempotency-id <id>', 'the same id twice moves credits once; default: a new one each time')
    .option('--json', 'one JSON object a line')
    .action((usd: string, options: { reason: string; account?: string; idempotencyId?: string; json?: boolean }) =>
      open(async (rooms) => {
        const account = await accountOf(rooms, options.account);
        const nano = amount(usd, 'the amount');
        const balances = rooms.get(Balances, { strict: false });
        const grant: Grant = {
          accountNo: account.no,
          amount: nano,
          kind: nano < 0n ? 'correction' : 'grant',
          reason: options.reason,
          idempotencyId: options.idempotencyId ?? newId(),
        };
        const moved = await balances.grant(
          grant,
          recorded<Grant>(rooms, 'grant', 'credits', ({ idempotencyId }) => ({
            id: idempotencyId,
            accountId: account.id,
          })),
        );
        const credits = await balances.creditsOf(account.no);
        print(
          [
            {
              account: account.id,
              moved: moved ? nanoToUsd(nano) : 0,
              total_credits: nanoToUsd(credits.granted),
              total_usage: nanoToUsd(credits.spent),
            },
          ],
          options.json ?? false,
        );
      }),
    );
}

async function accountOf(rooms: INestApplicationContext, given: string | undefined): Promise<Account> {
  const accounts = rooms.get(Accounts, { strict: false });
  const account = given ? await accounts.find(id(given, '--account')) : (await accounts.list())[0];
  if (!account)
    throw invalidRequest(
      given
        ? `No account has the id ${given}`
        : 'There is no account yet: start the service once, or use `accounts create`',
    );
  return account;
}

function amount(text: string, what: string): Nano {
  const decimal = parseDecimal(text);
  if (!decimal || text.length > 40) throw invalidRequest(`${what} must be an amount of USD such as 12.50`);
  const nano = toNano(decimal);
  if (nano > MAX_NANO / 1000n || nano < -MAX_NANO / 1000n) throw invalidRequest(`${what} is too large`);
  return nano;
}
