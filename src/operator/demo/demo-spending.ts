import type { INestApplicationContext } from '@nestjs/common';
import { KeyUses } from '../../auth/key-uses.js';
import type { AttemptBudget } from '../../billing/bill.js';
import { Spending } from '../../billing/spending.js';
import { GatewayError } from '../../kernel/errors/errors.js';
import type { DemoPayers } from './demo-account.js';
import type { DemoClock } from './demo-clock.js';
import { DAY_MS } from './demo-days.js';
import type { DemoRecords } from './demo-records.js';
import type { DemoCall } from './demo-schedule.js';

/** The maximum number of calls that are open at the same time. */
const MAX_OPEN = 200;
/**
 * A reservation is the price plus the price divided by MARGIN, because the length of a response is not known in
 * advance.
 */
const MARGIN = 2n;
const NEVER = new AbortController().signal;

const REFUSALS: ReadonlySet<string> = new Set(['insufficient_credits', 'budget_exceeded']);

/** Thrown to end a call that is not billed. */
class DemoFailure extends Error {}

/** Bills and records demo calls through the ledger, each at its own time. */
export class DemoSpending {
  /** The calls that a limit refused. Refused calls are not recorded. */
  readonly refused: DemoCall[] = [];

  constructor(
    private readonly rooms: INestApplicationContext,
    private readonly clock: DemoClock,
    private readonly payers: DemoPayers,
    private readonly records: DemoRecords,
  ) {}

  /** Bills and records `calls`, which must be sorted by time. */
  async spend(calls: readonly DemoCall[], progress: (done: number) => void): Promise<void> {
    for (let from = 0; from < calls.length;) {
      const to = endOfBatch(calls, from);
      const ends = await Promise.all(
        calls.slice(from, to).map(async (call) => ({ call, end: await this.#spend(call) })),
      );
      // The calls of a batch together may reserve more than what is left of a limit. Retry the refused calls one at a
      // time.
      for (const { call, end } of ends)
        if (end === 'refused' && (await this.#spend(call)) === 'refused') this.refused.push(call);
      progress(to - from);
      from = to;
    }
  }

  async #spend(call: DemoCall): Promise<'ended' | 'refused'> {
    const { key, outcome, price } = call;
    const payer = this.payers.get(key.name)!;
    const record = this.records.of(call, payer.workspaceNo);
    const first: AttemptBudget = {
      worstCase: price.price + price.price / MARGIN + 1n,
      source: call.isOwn ? 'own_credential' : 'platform',
      countsInLimit: false,
      model: call.model,
      provider: outcome.endpoint.provider,
    };
    this.rooms.get(KeyUses).note(payer.keyNo, call.at);
    // The ledger reads the clock at once, before another call can move it.
    this.clock.moveTo(call.at);
    const request = {
      payer,
      model: call.model,
      first,
      endUser: call.endUser,
      session: call.session,
      tags: key.tag === undefined ? undefined : [key.tag],
      signal: NEVER,
      requestId: () => null,
      recordFailure: () => record,
    };
    return this.rooms
      .get(Spending)
      .spend(request, async () => {
        if (outcome.end === 'failed') throw new DemoFailure();
        return { result: undefined, bill: { price: price.price, record } };
      })
      .then(() => 'ended' as const, endOf);
  }
}

/** Returns how a call that threw `error` ended. Throws an unexpected error again. */
function endOf(error: unknown): 'ended' | 'refused' {
  if (error instanceof DemoFailure) return 'ended';
  if (error instanceof GatewayError && REFUSALS.has(error.kind)) return 'refused';
  throw error;
}

/**
 * Returns the index after the last call of the batch. All calls of a batch have the same UTC day, so that the windows
 * of limits start in order.
 */
function endOfBatch(calls: readonly DemoCall[], from: number): number {
  const day = (at: Date): number => Math.floor(at.getTime() / DAY_MS);
  const first = day(calls[from]!.at);
  const next = calls.findIndex(({ at }, index) => index > from && day(at) !== first);
  return Math.min(from + MAX_OPEN, next === -1 ? calls.length : next);
}
