import type { INestApplicationContext } from '@nestjs/common';
import type { Command } from 'commander';
import { ApiKeys } from '../../auth/api-keys.js';
import { Catalogue } from '../../catalogue/catalogue.js';
import { Workspaces } from '../../tenancy/workspaces.js';
import { SyntheticUsage } from '../../usage/synthetic-usage.js';
import { UsageEpoch } from '../../usage/usage-epoch.js';
import { recorded, recordedKey } from '../operator-audit.js';
import type { OpenOperator } from '../operator-session.js';
import { print } from '../output.js';
import { accountOf, countOption } from './option-values.js';
import { usageReportCommand } from './usage-report-command.js';

interface SeedOptions {
  readonly rows: string;
  readonly days: string;
  readonly keys: string;
  readonly account?: string;
  readonly json?: boolean;
}

const MAX_MODELS = 60;

/** `usage report`, `usage rebuild` and `usage seed`. */
export function usageCommands(program: Command, open: OpenOperator): void {
  const usage = program.command('usage').description('usage records and the analytics over them');
  usageReportCommand(usage, open);
  usage
    .command('rebuild')
    .description(
      'drop the analytics store of every replica, and rebuild it from the records; meanwhile, queries stay ' +
        'correct but take longer',
    )
    .action((options: { json?: boolean }) =>
      open(async (rooms) => {
        await rooms
          .get(UsageEpoch)
          .renew(recorded(rooms, 'rebuild', 'analytics_store', ({ epoch }) => ({ id: epoch })));
        print([{ rebuild: 'requested', begins: 'within a second, on each running replica' }], options.json);
      }),
    );
  usage
    .command('seed')
    .description('write invented calls, flagged as synthetic, into an account without calls')
    .requiredOption('--rows <n>', 'how many calls')
    .option('--days <n>', 'spread over this many days up to now', '30')
    .option('--keys <n>', 'spread over this many new keys, which have already expired', '100')
    .option('--account <id>', 'the account; default: the first one')
    .action((options: SeedOptions) => open((rooms) => seed(rooms, options)));
}

async function seed(rooms: INestApplicationContext, options: SeedOptions): Promise<void> {
  const rows = countOption(options.rows, '--rows', 1_000_000_000);
  const days = countOption(options.days, '--days', 400);
  const keyCount = countOption(options.keys, '--keys', 10_000);
  const account = await accountOf(rooms, options.account);
  const workspaces = await rooms.get(Workspaces).list(account.id);
  const keyNos: number[] = [];
  const synthetic = rooms.get(SyntheticUsage);
  await synthetic.refuseUnlessEmpty(account.no);
  for (let index = 1; index <= keyCount; index++) {
    const request = {
      accountId: account.id,
      workspaceId: workspaces[0]!.id,
      keyClass: 'standard',
      name: `Synthetic ${index}`,
      creatorUserId: null,
      expiresAt: new Date(0),
    } as const;
    const { key } = await rooms.get(ApiKeys).issue(request, undefined, recordedKey(rooms, 'create'));
    keyNos.push(key.no);
  }
  const { models } = rooms.get(Catalogue).snapshot;
  const startedAt = performance.now();
  let reported = 0;
  const workspaceNos = workspaces.map(({ no }) => no);
  const modelIds = models.slice(0, MAX_MODELS).map(({ id }) => id);
  const progress = (written: number): void => {
    if (Math.floor(written / 1_000_000) === reported) return;
    reported = Math.floor(written / 1_000_000);
    console.error(`${written} of ${rows}`);
  };
  await synthetic.seed(
    { accountNo: account.no, workspaceNos, keyNos, models: modelIds, rows, days },
    progress,
    recorded(rooms, 'seed', 'synthetic_usage', () => ({ id: account.id, accountId: account.id })),
  );
  const seconds = Math.round((performance.now() - startedAt) / 100) / 10;
  print([{ account: account.id, rows, days, seconds }], options.json);
}
