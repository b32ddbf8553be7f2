import { Injectable } from '@nestjs/common';
import type { Bill } from '../../billing/bill.js';
import type { OpenCall } from '../../billing/open-call.js';
import {
  Spending,
  type BilledStream,
  type Completed,
  type SpendRequest,
  type StartedStream,
  type StreamEnd,
} from '../../billing/spending.js';
import type { CallerLimits } from '../../kernel/call-limit-settings.js';
import { Clock } from '../../kernel/clock.js';
import { CallLimiter, type AdmittedCall } from '../../rate-limits/call-limiter.js';
import { rateHeaders, tokenRateHeaders } from '../../rate-limits/rate-limit.errors.js';
import type { RemainingRate } from '../../rate-limits/remaining-rate.js';
import type { InferenceCall } from '../attempts/attempts.js';
import type { TaskResponse } from '../task.js';
import { limitReached } from './call-limit.errors.js';
import { namedLimits, type NamedLimit } from './named-limits.js';

type Call = InferenceCall<TaskResponse>;

/**
 * Runs and bills the calls that the limits of their key and workspace allow. Other calls are refused before their cost
 * is reserved.
 */
@Injectable()
export class AdmittedSpending {
  constructor(
    private readonly spending: Spending,
    private readonly limiter: CallLimiter,
    private readonly clock: Clock,
  ) {}

  /** See Spending. */
  spend<T>(call: Call, request: SpendRequest, work: (open: OpenCall) => Promise<Completed<T>>): Promise<T> {
    const { limits } = call.context.caller;
    return limits ? this.#spend(limits, call, request, work) : this.spending.spend(request, work);
  }

  /**
   * See Spending. The call holds its place in concurrency limits until its stream has ended, even if its caller
   * disconnects.
   */
  spendStream(
    call: Call,
    request: SpendRequest,
    work: (open: OpenCall) => Promise<StartedStream>,
  ): Promise<BilledStream> {
    const { limits } = call.context.caller;
    return limits ? this.#spendStream(limits, call, request, work) : this.spending.spendStream(request, work);
  }

  async #spend<T>(
    limits: CallerLimits,
    call: Call,
    request: SpendRequest,
    work: (open: OpenCall) => Promise<Completed<T>>,
  ): Promise<T> {
    const admission = await this.#admit(limits, call);
    try {
      return await this.spending.spend(request, async (open) => {
        const completed = await work(open);
        admission?.count(completed.bill);
        return completed;
      });
    } finally {
      admission?.end();
    }
  }

  async #spendStream(
    limits: CallerLimits,
    call: Call,
    request: SpendRequest,
    work: (open: OpenCall) => Promise<StartedStream>,
  ): Promise<BilledStream> {
    const admission = await this.#admit(limits, call);
    if (!admission) return this.spending.spendStream(request, work);
    try {
      const { generationId, ...stream } = await this.spending.spendStream(request, async (open) => {
        const started = await work(open);
        return { ...started, bill: async (end: StreamEnd) => admission.count(await started.bill(end)) };
      });
      const deliver: BilledStream['deliver'] = (outlet) => stream.deliver(outlet).finally(() => admission.end());
      return { generationId, deliver };
    } catch (error) {
      admission.end();
      throw error;
    }
  }

  /** Undefined if no limit applies to this call. */
  async #admit(limits: CallerLimits, { task, plan, context }: Call): Promise<Admission | undefined> {
    const { caller, user, session } = context;
    const promptTokens = task.promptTokens ?? 0;
    const named = namedLimits(limits, caller.workspaceId, { model: plan[0]!.model, user, session, promptTokens });
    if (named.length === 0) return undefined;
    const taken = await this.limiter.take(named);
    const now = this.clock.now();
    if ('limit' in taken) throw limitReached(taken.limit as NamedLimit, taken.state, now);
    context.onRates?.({
      requests: lowestRemaining(taken, 'requests', (...args) => rateHeaders(...args, now)),
      tokens: lowestRemaining(taken, 'tokens', (...args) => tokenRateHeaders(...args, now)),
    });
    return new Admission(taken, promptTokens);
  }
}

/** A call that the limits have admitted, until it ends. */
class Admission {
  #counted = false;

  constructor(
    private readonly call: AdmittedCall,
    private readonly promptTokens: number,
  ) {}

  /** Counts the tokens that the call used, replacing the estimate for its prompt. */
  count(bill: Bill): Bill {
    const { tokens_prompt: prompt, tokens_completion: completion } = bill.record;
    this.#counted = true;
    this.call.addTokens(prompt + completion - this.promptTokens);
    return bill;
  }

  /** A call that is not billed counts no tokens. */
  end(): void {
    if (!this.#counted) this.call.addTokens(-this.promptTokens);
    this.call.release();
  }
}

type RateHeaderArgs = Parameters<typeof rateHeaders>;

/**
 * Finds the limit of this kind with the fewest remaining requests or tokens. Undefined if there is no limit of this
 * kind.
 */
function lowestRemaining(
  { limits, states }: AdmittedCall,
  kind: 'requests' | 'tokens',
  headers: (rule: RateHeaderArgs[0], count: RateHeaderArgs[1]) => Record<string, string>,
): RemainingRate | undefined {
  let found: RemainingRate | undefined;
  for (const [index, { kind: its, max }] of limits.entries()) {
    const { used, resetInMs } = states[index]!;
    const remaining = Math.max(0, max - used);
    if (its === kind && (!found || remaining < found.remaining))
      found = { remaining, headers: headers({ points: max }, { remaining, resetInMs }) };
  }
  return found;
}
