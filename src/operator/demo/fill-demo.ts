import type { INestApplicationContext } from '@nestjs/common';
import { AuditTrail } from '../../audit/audit-trail.js';
import { Balances } from '../../billing/balances.js';
import { Catalogue } from '../../catalogue/catalogue.js';
import { Sql } from '../../database/sql.js';
import { conflict } from '../../kernel/errors/errors.js';
import type { Nano } from '../../kernel/money.js';
import { Accounts } from '../../tenancy/accounts.js';
import { Partitions } from '../../usage/partitions.js';
import { UsageEpoch } from '../../usage/usage-epoch.js';
import { UsageLabels } from '../../usage/usage-labels.js';
import { FirstStart } from '../first-start.js';
import { DemoAccount, PREPARATION_MS } from './demo-account.js';
import type { DemoClock } from './demo-clock.js';
import { demoCompany, demoTraffic, grownTo } from './demo-data.js';
import { DAY_MS, DAYS } from './demo-days.js';
import { DemoRecords } from './demo-records.js';
import { scheduleCalls } from './demo-schedule.js';
import { DemoSpending } from './demo-spending.js';
import { roundAmount, totalOf } from './demo-sums.js';

/**
 * The grants of credits. `at`: the time, as a share of the month. `share`: the amount, as a share of the cost of all
 * calls.
 */
const GRANTS = [
  { at: 0, share: 0.65, reason: 'Credits for the first half of the month' },
  { at: 0.4, share: 0.35, reason: 'Top-up' },
  { at: 0.78, share: 0.3, reason: 'Top-up for the release' },
] as const;

export interface DemoOrder {
  readonly calls: number;
  /** The minimum number of keys. */
  readonly keys: number;
  /** The minimum number of people. */
  readonly people: number;
  readonly seed: number;
  /** The end of the month. */
  readonly until: Date;
  readonly progress: (done: number, total: number) => void;
}

export interface DemoResult {
  readonly accountId: string;
  readonly calls: number;
  readonly spent: Nano;
  readonly from: Date;
}

/** Throws a conflict if the database has calls, even if their records have been removed. */
async function refuseUsedDatabase(rooms: INestApplicationContext): Promise<void> {
  const recorded = await rooms.get(Sql).query('select from generation limit 1');
  if (recorded.length > 0 || (await rooms.get(Balances).areUsed()))
    throw conflict(
      'This database has calls. Demo data needs a database without calls: use an empty DATA_DIR or ' +
        'DATABASE_URL. Nothing was changed',
    );
}

/**
 * Fills a database that has no calls with one month of an invented company: people, keys, budgets, credits and calls.
 * Uses the same services as the API to create, bill and record everything, at the time of `clock`.
 */
export async function fillDemo(
  rooms: INestApplicationContext,
  clock: DemoClock,
  { calls: count, keys, people, seed, until, progress }: DemoOrder,
): Promise<DemoResult> {
  await refuseUsedDatabase(rooms);
  const from = new Date(until.getTime() - DAYS * DAY_MS);
  clock.moveTo(new Date(from.getTime() - PREPARATION_MS));
  const catalogue = rooms.get(Catalogue);
  const company = grownTo(demoCompany(), people, keys);
  const findModel = (id: string): ReturnType<Catalogue['find']> => catalogue.find(id);
  const calls = scheduleCalls({ company, traffic: demoTraffic(), calls: count, seed, until, findModel });
  const account = await firstAccount(rooms);
  await rooms
    .get(AuditTrail)
    .record({ by: 'operator', action: 'seed', kind: 'demo_data', id: account.id, accountId: account.id });
  const partitions = rooms.get(Partitions);
  for (let day = from.getTime(); day <= until.getTime() + DAY_MS; day += DAY_MS)
    await partitions.make(new Date(Math.floor(day / DAY_MS) * DAY_MS));
  const demo = new DemoAccount(rooms, clock, account, company);
  const payers = await demo.create(calls);
  const records = await DemoRecords.of(calls, account.no, rooms.get(UsageLabels));
  const spending = new DemoSpending(rooms, clock, payers, records);
  const total = totalOf(calls);
  let done = 0;
  for (const [index, { at, share, reason }] of GRANTS.entries()) {
    const timeOf = (part: number): Date => new Date(from.getTime() + part * DAYS * DAY_MS);
    if (at > 0) clock.moveTo(timeOf(at));
    await demo.grant(roundAmount(total, 1 / share), reason);
    const next = timeOf(GRANTS[index + 1]?.at ?? 1);
    const due = calls.filter((call) => call.at >= timeOf(at) && call.at < next);
    await spending.spend(due, (more) => progress((done += more), calls.length));
  }
  // Followers do not expect new calls of past days. Start a new epoch, so that they read all records again.
  await rooms.get(UsageEpoch).renew();
  const { refused } = spending;
  return { accountId: account.id, calls: calls.length - refused.length, spent: total - totalOf(refused), from };
}

/**
 * Returns the first account. If there is no account, creates one as the first start of a service does. The next start
 * then shows the keys of the new account.
 */
async function firstAccount(rooms: INestApplicationContext): ReturnType<Accounts['first']> {
  const accounts = rooms.get(Accounts);
  if ((await accounts.list()).length === 0) await rooms.get(FirstStart).ensure();
  return accounts.first();
}
