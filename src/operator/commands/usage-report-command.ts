import type { INestApplicationContext } from '@nestjs/common';
import { Option, type Command } from 'commander';
import { Clock } from '../../kernel/clock.js';
import { invalidRequest } from '../../kernel/errors/errors.js';
import {
  REPORT_GROUPS,
  reportColumns,
  OperatorReport,
  type ReportGroup,
  type ReportRow,
} from '../../usage/usage-report.js';
import type { OpenOperator } from '../operator-session.js';
import { print, printCsv, SHOWN_HASH_CHARACTERS, Usd } from '../output.js';
import { accountOf, time } from './option-values.js';

const SUM_COLUMNS = [
  'requests',
  'errors',
  'tokens_prompt',
  'tokens_completion',
  'images',
  'characters',
  'usage_usd',
  'byok_usage_usd',
];

interface ReportOptions {
  readonly by: string;
  readonly from?: string;
  readonly to?: string;
  readonly account?: string;
  readonly csv?: boolean;
  readonly json?: boolean;
}

/** `usage report`, in the group `usage`. */
export function usageReportCommand(usage: Command, open: OpenOperator): void {
  usage
    .command('report')
    .description('report usage and spend in a time range, from the exact records; largest spend first')
    .option('--by <list>', `the groups of the sums, separated by commas: ${REPORT_GROUPS.join(', ')}`, 'model')
    .option('--from <time>', 'from this time on, ISO 8601, a date alone in UTC; default: the first day of this month')
    .option('--to <time>', 'up to this time, exclusive; default: now')
    .option('--account <id>', 'only of this account')
    .addOption(new Option('--csv', 'comma-separated values with a header line, for spreadsheets').conflicts('json'))
    .action((options: ReportOptions) => open((rooms) => report(rooms, options)));
}

async function report(rooms: INestApplicationContext, options: ReportOptions): Promise<void> {
  const by = groupsOf(options.by);
  const now = rooms.get(Clock).now();
  const from =
    options.from === undefined
      ? new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth()))
      : time(options.from, '--from');
  const to = options.to === undefined ? now : time(options.to, '--to');
  if (from >= to) throw invalidRequest('--from must be before --to');
  const accountNo = options.account === undefined ? null : (await accountOf(rooms, options.account)).no;
  const rows = await rooms.get(OperatorReport).of({ accountNo, from, to, by });
  const isTable = !options.csv && !options.json;
  const shown = rows.map((row) => toRow(row, isTable));
  if (options.csv) printCsv([...reportColumns(by), ...SUM_COLUMNS], shown);
  else print(shown, options.json);
  const requests = rows.reduce((sum, row) => sum + row.sums.requests, 0n);
  const spent = rows.reduce((sum, row) => sum + row.sums.usage, 0n);
  console.error(
    `From ${from.toISOString()} to ${to.toISOString()}: ${requests} requests, ${new Usd(spent).toString()} USD.`,
  );
}

function groupsOf(text: string): ReportGroup[] {
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !(REPORT_GROUPS as string[]).includes(name));
  if (unknown !== undefined)
    throw invalidRequest(
      `--by takes ${REPORT_GROUPS.join(', ')}, separated by commas; ${JSON.stringify(unknown)} is none of them`,
    );
  return [...new Set(names)] as ReportGroup[];
}

/** Counts are JSON numbers, because none is near 2⁵³. A table shows the same prefix of a key's hash as `keys list`. */
const toRow = ({ groups, sums }: ReportRow, isTable: boolean): Record<string, unknown> => ({
  ...groups,
  ...(isTable && groups['key'] ? { key: groups['key'].slice(0, SHOWN_HASH_CHARACTERS) } : {}),
  requests: Number(sums.requests),
  errors: Number(sums.errors),
  tokens_prompt: Number(sums.tokens_prompt),
  tokens_completion: Number(sums.tokens_completion),
  images: Number(sums.images),
  characters: Number(sums.characters),
  usage_usd: new Usd(sums.usage),
  byok_usage_usd: new Usd(sums.byok_usage),
});
