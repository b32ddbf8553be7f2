import type { INestApplicationContext } from '@nestjs/common';
import type { Command } from 'commander';
import { ApiKeys } from '../../auth/api-keys.js';
import { Catalogue } from '../../catalogue/catalogue.js';
import { invalidRequest } from '../../kernel/errors.js';
import { Accounts } from '../../tenancy/accounts.js';
import { Workspaces } from '../../tenancy/workspaces.js';
import { SyntheticUsage } from '../../usage/synthetic-usage.js';
import { UsageEpoch } from '../../usage/usage-epoch.js';
import type { OpenOperator } from '../operator-session.js';
import { print } from '../output.js';
import { id } from './account-commands.js';

interface SeedOptions {
  readonly rows: string;
  readonly days: string;
  readonly keys: string;
  readonly account?: string;
}

const MOST_MODELS = 60;

/** `usage rebuild` and `usage seed`. */
export function usageCommands(program: Command, open: OpenOperator): void {
  const usage = program.command('usage').description('usage records and the analytics over them');
  usage
    .command('rebuild')
    .description('have every replica drop its analytics store and build it anew from the records; answers stay right meanwhile, and take longer')
    .action(() =>
      open(async (rooms) => {
        await rooms.get(UsageEpoch, { strict: false }).renew();
        print([{ rebuild: 'asked for', begins: 'within a second, on each running replica' }], false);
      }),
    );
  usage
    .command('seed')
    .description('write invented calls, flagged as synthetic, into an account that has none')
    .requiredOption('--rows <n>', 'how many calls')
    .option('--days <n>', 'spread over so many days up to now', '30')
    .option('--keys <n>', 'spread over so many keys, which are made expired', '100')
    .option('--account <id>', 'the account; default: the first one')
    .action((options: SeedOptions) => open((rooms) => seed(rooms, options)));
}

async function seed(rooms: INestApplicationContext, options: SeedOptions): Promise<void> {
  const rows = count(options.rows, '--rows', 1_000_000_000);
  const days = count(options.days, '--days', 400);
  const accounts = rooms.get(Accounts, { strict: false });
  const account = options.account ? await accounts.find(id(options.account, '--account')) : (await accounts.list())[0];
  if (!account) throw invalidRequest(options.account ? `No account has the id ${options.account}` : 'There is no account yet: start the service once, or use `accounts create`');
  const workspaces = await rooms.get(Workspaces, { strict: false }).list(account.id);
  const keys = rooms.get(ApiKeys, { strict: false });
  const keyNos: number[] = [];
  const synthetic = rooms.get(SyntheticUsage, { strict: false });
  await synthetic.refuseUnlessEmpty(account.no);
  for (let index = 1; index <= count(options.keys, '--keys', 10_000); index++) {
    const { key } = await keys.issue({ accountId: account.id, workspaceId: workspaces[0]!.id, keyClass: 'standard', name: `Synthetic ${index}`, creatorUserId: null, expiresAt: new Date(0) });
    keyNos.push(key.no);
  }
  const models = rooms.get(Catalogue, { strict: false }).snapshot.models.slice(0, MOST_MODELS).map((model) => model.id);
  const startedAt = performance.now();
  let reported = 0;
  await synthetic.seed({ accountNo: account.no, workspaceNos: workspaces.map(({ no }) => no), keyNos, models, rows, days }, (written) => {
    if (Math.floor(written / 1_000_000) === reported) return;
    reported = Math.floor(written / 1_000_000);
    console.error(`${written} of ${rows}`);
  });
  print([{ account: account.id, rows, days, seconds: Math.round((performance.now() - startedAt) / 100) / 10 }], false);
}

function count(text: string, what: string, most: number): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < 1 || value > most) throw invalidRequest(`${what} must be a whole number from 1 to ${most}`);
  return value;
}
