import { Injectable } from '@nestjs/common';
import type { Bill } from '../billing/bill.js';
import type { OpenCall } from '../billing/open-call.js';
import type { BilledStream, Completed, SpendRequest, StreamEnd, StartedStream } from '../billing/spending.js';
import { Config } from '../config/config.js';
import type { Nano } from '../kernel/money.js';
import { AttemptRunner, reservationOf, type InferenceCall, type Success } from './attempts/attempts.js';
import type { CallCredentials } from './attempts/call-credentials.js';
import { billedSpan } from './attempts/attempt-span.js';
import { leftAfterRefusal, refusalOfRoutes } from './attempts/routed-budgets.js';
import { CallRecorder } from './call-recorder.js';
import { CallContents } from './content/call-contents.js';
import { AdmittedSpending } from './limits/admitted-spending.js';
import { EndpointUnhealthy } from './routing/endpoint-health.js';
import { RoutePlanner } from './routing/route-planner.js';
import type {
  ByteStreamResponse,
  Charge,
  CompleteResponse,
  InferenceContext,
  PlannedEndpoint,
  Task,
  TaskResponse,
  TokenCounts,
  Usage,
} from './task.js';
import { NO_TOKENS } from './usage-judgement.js';

/** A complete response and its charge. */
export interface BilledResponse<Content> {
  readonly generationId: string;
  readonly content: Content;
  readonly streamed: boolean;
  /** The billed tokens; 0 if the endpoint is not priced by tokens. */
  readonly tokens: TokenCounts;
  /** The billed tokens, and the other quantities that have a price. */
  readonly used: Usage;
  /** The caller's cost; 0 if the caller's own credential was used. */
  readonly cost: Nano;
  /** The provider's charge to the owner of the credential. */
  readonly upstreamCost: Nano;
  /** The part of `upstreamCost` for the prompt and its pictures. Set only if the caller's own credential was used. */
  readonly upstreamPromptCost?: Nano;
  readonly isByok: boolean;
}

/**
 * Makes one billed call to one model of any capability. Plans, admits, reserves, makes the attempts, settles and
 * records.
 */
@Injectable()
export class InferencePipeline {
  constructor(
    private readonly planner: RoutePlanner,
    private readonly recorder: CallRecorder,
    private readonly spending: AdmittedSpending,
    private readonly attempts: AttemptRunner,
    private readonly config: Config,
    private readonly contents: CallContents,
  ) {}

  /** The endpoints for a call, in order of use. */
  plan(task: Task<TaskResponse>, caller: InferenceContext['caller']): ReturnType<RoutePlanner['plan']> {
    return this.planner.plan(task, caller);
  }

  /** The secret of a planned attempt, for a request that is not billed. */
  openCredential(planned: PlannedEndpoint, context: InferenceContext): ReturnType<CallCredentials['open']> {
    return this.attempts.credentials.open(planned, context);
  }

  /** For a response that is returned completely. The call is settled when the promise resolves. */
  complete<Content>(
    task: Task<CompleteResponse<Content>>,
    context: InferenceContext,
  ): Promise<BilledResponse<Content>> {
    return this.#run(
      task,
      context,
      (success) => this.#completed(success),
      (call, work) => this.spending.spend(call, spendRequest(call), work),
    );
  }

  /**
   * For a response that is delivered while it is received. Resolves when the first bytes were received. `deliver` of
   * the result settles the call before it sends the last byte.
   */
  stream(task: Task<ByteStreamResponse>, context: InferenceContext): Promise<BilledStream> {
    return this.#run(
      task,
      context,
      (success) => this.#started(success),
      (call, work) => this.spending.spendStream(call, spendRequest(call), work),
    );
  }

  /**
   * `spend` admits the call and reserves its worst case before the work. After the work, it settles the outcome with
   * the call's record.
   */
  async #run<Response extends TaskResponse, Outcome, Result>(
    task: Task<Response>,
    context: InferenceContext,
    toOutcome: (success: Success<Response>) => Outcome | Promise<Outcome>,
    spend: (call: InferenceCall<Response>, work: (open: OpenCall) => Promise<Outcome>) => Promise<Result>,
  ): Promise<Result> {
    // Only promises are awaited, so that cached plans, records and labels cost no microtask.
    const planned = this.planner.plan(task, context.caller);
    const plan = planned instanceof Promise ? await planned : planned;
    const opened = this.recorder.open(task, plan[0]!, context);
    const record = opened instanceof Promise ? await opened : opened;
    const call: InferenceCall<Response> = { task, context, plan, record };
    try {
      return await spend(call, async (open) => {
        if (call.plan !== plan) await this.recorder.moveTo(record, call.plan[0]!);
        const success = await this.attempts.run(call, open);
        const labels = record.resolveLabels();
        if (labels) await labels;
        return toOutcome(success);
      });
    } catch (error) {
      const failure = refusalOfRoutes(error, plan[0]!, Date.now());
      throw task.explain?.(failure, plan[0]!) ?? failure;
    }
  }

  #completed<Content>(
    success: Success<CompleteResponse<Content>>,
  ): Completed<BilledResponse<Content>> | Promise<Completed<BilledResponse<Content>>> {
    const { attempt, response } = success;
    attempt.leaveVendor();
    attempt.finish(response.output);
    const charge = this.#charge(success, true);
    return charge instanceof Promise
      ? charge.then((counted) => completedOf(success, counted))
      : completedOf(success, charge);
  }

  #started(success: Success<ByteStreamResponse>): StartedStream {
    const { attempt, response } = success;
    const { first, rest, isComplete, closing, failing } = response;
    const bill = (end: StreamEnd): Bill | Promise<Bill> => {
      attempt.leaveVendor();
      if (end.isWhole) attempt.finish(response.output);
      const charge = this.#charge(success, end.isWhole);
      return charge instanceof Promise
        ? charge.then((counted) => billOf(success, counted, end))
        : billOf(success, charge, end);
    };
    return { first, rest, isComplete, closing, failing, bill };
  }

  #charge(success: Success<TaskResponse>, isWhole: boolean): Charge | Promise<Charge> {
    const { call, attempt, response } = success;
    const { caller } = call.context;
    const { isAlone } = attempt;
    // If other calls were open, the excesses of all calls could add up and exceed a limit.
    const excessFactor = isAlone ? this.config.values.USAGE_EXCESS_FACTOR : 1;
    const charge = call.task.charge(attempt, response, { isWhole, excessFactor, isAlone });
    return caller.exportContent ? this.#withContent(success, charge) : charge;
  }

  async #withContent(success: Success<TaskResponse>, charge: Charge | Promise<Charge>): Promise<Charge> {
    const counted = await charge;
    await this.contents.keep(success, counted);
    return counted;
  }
}

function completedOf<Content>(
  success: Success<CompleteResponse<Content>>,
  charge: Charge,
): Completed<BilledResponse<Content>> {
  const { attempt, response } = success;
  const { generationId, isByok, endpointCall } = attempt;
  const result: BilledResponse<Content> = {
    generationId,
    content: response.content,
    streamed: response.streamed,
    tokens: endpointCall.needsUsage ? charge.usage.tokens : NO_TOKENS,
    used: charge.usage,
    cost: isByok ? 0n : charge.price,
    upstreamCost: charge.price,
    upstreamPromptCost: isByok ? charge.promptPrice : undefined,
    isByok,
  };
  return { result, bill: billOf(success, charge, { isWhole: true, callerLeft: false }) };
}

function spendRequest(call: InferenceCall<TaskResponse>): SpendRequest {
  const { task, context, plan, record } = call;
  return {
    payer: context.caller,
    model: task.model,
    endUser: context.user,
    session: context.session,
    sessionLimit: context.sessionLimit,
    tags: context.tags,
    first: reservationOf(plan[0]!, context),
    afterRefusal: (error) => {
      const left = leftAfterRefusal(call.plan, error);
      if (left.length === 0) return undefined;
      call.plan = left;
      return reservationOf(left[0]!, context);
    },
    signal: context.signal,
    requestId: () => context.place?.requestId ?? null,
    // A call that never started is not recorded.
    recordFailure: (error) => (error instanceof EndpointUnhealthy ? null : record.failed(error, task.wantsStream)),
  };
}

function billOf(
  { call, attempt, response }: Success<TaskResponse>,
  charge: Charge,
  { isWhole, callerLeft }: StreamEnd,
): Bill {
  const { isByok } = attempt;
  const { streamed } = response;
  const { price, anomaly, ...used } = charge;
  call.context.onCharge?.(attempt, charge);
  attempt.use?.addTokens(charge.usage.tokens.prompt + charge.usage.tokens.completion - 1);
  const { task, context } = call;
  attempt.span?.end(billedSpan(charge, context.caller.exportContent && (() => task.generatedTexts?.(response))));
  const outcome = { ...used, upstreamCost: price, status: 200, isByok, streamed, cancelled: callerLeft };
  // If the response was not read to its end, a missing report is not an anomaly, because many vendors report the usage
  // at the end.
  return { price, anomaly: isWhole ? anomaly : undefined, record: call.record.of(outcome) };
}
