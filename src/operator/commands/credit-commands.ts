import type { Command } from 'commander';
import { Balances, type Grant } from '../../billing/balances.js';
import { newId } from '../../kernel/ids.js';
import { recorded } from '../operator-audit.js';
import type { OpenOperator } from '../operator-session.js';
import { print, Usd } from '../output.js';
import { accountOf, amount } from './option-values.js';

interface GrantOptions {
  readonly reason: string;
  readonly account?: string;
  readonly force?: boolean;
  readonly idempotencyId?: string;
  readonly json?: boolean;
}

/** `credits show` and `credits grant`. */
export function creditCommands(program: Command, open: OpenOperator): void {
  const credits = program.command('credits').description("an account's credits");
  credits
    .command('show')
    .description('print the granted, spent, reserved and remaining credits of an account')
    .option('--account <id>', 'the account; default: the first one')
    .action((options: { account?: string; json?: boolean }) =>
      open(async (rooms) => {
        const account = await accountOf(rooms, options.account);
        const { granted, spent, reserved } = await rooms.get(Balances).creditsOf(account.no);
        const row = {
          account: account.id,
          granted_usd: new Usd(granted),
          spent_usd: new Usd(spent),
          reserved_usd: new Usd(reserved),
          left_usd: new Usd(granted - spent - reserved),
        };
        print([row], options.json);
      }),
    );
  credits
    .command('grant <usd>')
    .description(
      'add credits to an account; a negative amount is a correction, which must leave at least the spent ' +
        'and reserved credits',
    )
    .requiredOption('--reason <text>', 'the reason, stored in the ledger')
    .option('--account <id>', 'the account; default: the first one')
    .option('--force', 'allow a correction that leaves less than the spent and reserved credits')
    .option('--idempotency-id <id>', 'a repeated id has no further effect; default: a new id for each run')
    .action((usd: string, options: GrantOptions) =>
      open(async (rooms) => {
        const account = await accountOf(rooms, options.account);
        const nano = amount(usd, 'the amount');
        const balances = rooms.get(Balances);
        const grant: Grant = {
          accountNo: account.no,
          amount: nano,
          kind: nano < 0n ? 'correction' : 'grant',
          reason: options.reason,
          idempotencyId: options.idempotencyId ?? newId(),
          force: options.force,
        };
        const audited = recorded<Grant>(rooms, 'grant', 'credits', ({ idempotencyId }) => ({
          id: idempotencyId,
          accountId: account.id,
        }));
        const moved = await balances.grant(grant, audited);
        const after = await balances.creditsOf(account.no);
        const row = {
          account: account.id,
          moved: new Usd(moved ? nano : 0n),
          total_credits: new Usd(after.granted),
          total_usage: new Usd(after.spent),
        };
        print([row], options.json);
      }),
    );
}
