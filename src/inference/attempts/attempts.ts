import { Injectable } from '@nestjs/common';
import type { OpenCall } from '../../billing/open-call.js';
import type { SpendRequest } from '../../billing/spending.js';
import type { PassedOver } from '../../kernel/call-facts.js';
import { toGenerationId } from '../../kernel/ids.js';
import { currentRequest } from '../../kernel/request-scope.js';
import type { CappedUse } from '../../channels/channel-caps.js';
import { CallCredentials } from './call-credentials.js';
import { failedSpan, startAttemptSpan } from './attempt-span.js';
import { CallRecorder, type CallRecord } from '../call-recorder.js';
import { AssumedPrices } from '../assumed-prices.js';
import { EndpointHealth, EndpointUnhealthy, isOutage, nameOfEndpoint } from '../routing/endpoint-health.js';
import { routedBudget } from './routed-budgets.js';
import {
  attemptReports,
  isRefusal,
  mayFallBack,
  unknownToVendor,
  withPreviousErrors,
  type FailedAttempt,
} from './failed-attempts.js';
import { LatencyTracker } from '../routing/latency-tracker.js';
import { SessionEndpoints } from '../routing/session-endpoints.js';
import type { InferenceContext, PlannedEndpoint, Task, TaskResponse } from '../task.js';
import { endpointCallOf, RunningAttempt } from './running-attempt.js';
import { logFailure } from './vendor-failure-log.js';

/** Maximum number of vendor calls for one request. */
const MAX_VENDOR_CALLS = 6;

/** A planned call while it is running. */
export interface InferenceCall<Response extends TaskResponse> {
  readonly task: Task<Response>;
  readonly context: InferenceContext;
  /** The remaining attempts, in order, without those that a budget refused. Never empty. */
  plan: readonly PlannedEndpoint[];
  readonly record: CallRecord;
}

/** The attempt that succeeded. */
export interface Success<Response extends TaskResponse> {
  readonly call: InferenceCall<Response>;
  readonly attempt: RunningAttempt;
  readonly response: Response;
}

/** The amount that an attempt reserves, with the data that determines its limits and budgets. */
export function reservationOf(
  { endpoint: { provider }, model, prepared: { worstCase }, own, channel }: PlannedEndpoint,
  { caller }: InferenceContext,
): SpendRequest['first'] {
  return own === undefined
    ? { worstCase, source: 'platform', model, provider, credentialId: channel?.id }
    : { worstCase, source: 'own_credential', countsInLimit: caller.countsByok, model, provider };
}

/** Makes the attempts of a plan one after another until an endpoint responds. */
@Injectable()
export class AttemptRunner {
  constructor(
    private readonly recorder: CallRecorder,
    readonly credentials: CallCredentials,
    private readonly health: EndpointHealth,
    private readonly latency: LatencyTracker,
    private readonly sessions: SessionEndpoints,
    private readonly assumed: AssumedPrices,
  ) {}

  /**
   * `open`: the call with the reservation of the first attempt. A fallback moves the reservation to the next attempt.
   */
  async run<Response extends TaskResponse>(call: InferenceCall<Response>, open: OpenCall): Promise<Success<Response>> {
    const { task, context, plan, record } = call;
    const loading = task.load?.(context.signal);
    if (loading) await loading;
    const generationId = toGenerationId(open.generationId);
    const request = currentRequest();
    if (request) request.generationId = generationId;
    let failure: unknown;
    const failed: FailedAttempt[] = [];
    /** Credentials that were skipped since the last attempt. */
    const skipped: PassedOver[] = [];
    /** Models that refused the request. Their other endpoints would also refuse it. */
    let refusing: Set<string> | undefined;
    /** Addresses of endpoints that failed. Other credentials of the platform would reach the same addresses. */
    let unreached: Set<string> | undefined;
    for (const [index, planned] of plan.entries()) {
      if (failed.length >= MAX_VENDOR_CALLS) break;
      if (refusing?.has(planned.model)) continue;
      if (planned.channel && unreached?.has(addressKeyOf(planned))) {
        skipped.push(...this.credentials.passedOver(planned, 'address'));
        continue;
      }
      let use: CappedUse | undefined;
      try {
        const admitting = this.credentials.admit(planned);
        if (admitting) use = await admitting;
      } catch (error) {
        // This attempt never started, and another credential may be free.
        failure ??= error;
        skipped.push(...this.credentials.passedOver(planned));
        continue;
      }
      if (index > 0) {
        const refusal = await this.#moveTo(planned, call, open, failed, use);
        if (refusal !== undefined) {
          failure ??= refusal;
          skipped.push(...this.credentials.passedOver(planned, 'budget'));
          continue;
        }
      }
      const chosen = this.credentials.choiceOf(planned, skipped.splice(0));
      if (request) {
        request.adjusted = planned.prepared.adjusted;
        if (context.namesChannel) request.channel = chosen;
      }
      const startedAt = performance.now();
      let attempt: RunningAttempt | undefined;
      try {
        // Check the endpoint before a stored credential is opened, because opening it writes an audit row.
        const address = planned.channel?.baseUrl ?? undefined;
        if (!planned.channel || planned.channel.isStored) this.health.assertCallable(planned.endpoint, address);
        const opening = this.credentials.open(planned, context);
        const credential = opening instanceof Promise ? await opening : opening;
        const running = new RunningAttempt(
          planned,
          generationId,
          endpointCallOf(planned, credential, context),
          record,
          this.latency.start(planned.endpoint),
          open,
        );
        attempt = running;
        running.use = use;
        running.span = startAttemptSpan(task, planned, generationId, context);
        const response = await this.#invoke(task, running, address);
        const latencyMs = performance.now() - startedAt;
        const assuming = this.#served(call, planned, failed, { latencyMs, credential: chosen });
        if (assuming) await assuming;
        return { call, attempt: running, response };
      } catch (thrown) {
        const error = unknownToVendor(thrown, planned) ?? thrown;
        attempt?.leaveVendor();
        use?.release();
        this.credentials.failed(planned, error);
        attempt?.span?.end(failedSpan(error));
        if (error instanceof EndpointUnhealthy) {
          // The breaker opened after the plan was created, so this attempt never started.
          failure ??= error;
          skipped.push(...this.credentials.passedOver(planned, 'unhealthy'));
          continue;
        }
        logFailure(planned.endpoint, error, task.isCommitted);
        const latencyMs = performance.now() - startedAt;
        failed.push({ provider: planned.endpoint.providerName, error, latencyMs, credential: chosen });
        record.attempts = attemptReports(failed);
        this.#leaveSession(task, planned);
        failure = withPreviousErrors(error, failed);
        if (!mayFallBack(error) || task.isCommitted || context.signal.aborted) throw failure;
        if (isRefusal(error)) (refusing ??= new Set()).add(planned.model);
        if (isOutage(error) && planned.channel) (unreached ??= new Set()).add(addressKeyOf(planned));
      }
    }
    // A call that never started has no record, so its error must not have a generation id.
    if (request && failure instanceof EndpointUnhealthy) request.generationId = undefined;
    throw failure;
  }

  /** Calls the endpoint. The end of the response also counts for the endpoint's health. */
  #invoke<Response extends TaskResponse>(
    task: Task<Response>,
    attempt: RunningAttempt,
    address: string | undefined,
  ): Promise<Response> {
    const { planned } = attempt;
    return this.health.watch(
      planned.endpoint,
      (watchEnd) =>
        task.invoke(attempt, (end) => {
          watchEnd(end);
          end.catch((error: unknown) => {
            attempt.use?.release();
            attempt.span?.end(failedSpan(error));
            logFailure(planned.endpoint, error, true);
            if (mayFallBack(error)) this.#leaveSession(task, planned);
          });
        }),
      address,
    );
  }

  /** Reports the success of an attempt. Returns a promise only if a label must be stored. */
  #served<Response extends TaskResponse>(
    { task, record }: InferenceCall<Response>,
    planned: PlannedEndpoint,
    failed: readonly FailedAttempt[],
    success: Pick<FailedAttempt, 'latencyMs' | 'credential'>,
  ): Promise<void> | undefined {
    this.credentials.served(planned, success.latencyMs);
    const { model, endpoint } = planned;
    const { providerName: provider, priceAssumed } = endpoint;
    record.attempts = attemptReports(failed, { provider, ...success, ...(priceAssumed ? { priceAssumed } : {}) });
    if (task.session !== undefined)
      this.sessions.succeeded(task.session, model, { endpoint, channel: planned.channel?.version });
    if (!priceAssumed) return undefined;
    this.assumed.report(planned);
    // A served call is billed even if its label cannot be stored.
    return this.recorder.relabel(record, model, endpoint.provider).catch(() => undefined);
  }

  /** Call it when the endpoint has failed, so that the session no longer prefers the endpoint. */
  #leaveSession({ session }: Task<TaskResponse>, { model, endpoint }: PlannedEndpoint): void {
    if (session !== undefined) this.sessions.failed(session, model, endpoint);
  }

  /**
   * Moves the reservation to another attempt. Returns the refusal if a budget of a model, a provider or a credential
   * refuses the move; otherwise undefined. Throws every other error.
   */
  async #moveTo<Response extends TaskResponse>(
    planned: PlannedEndpoint,
    { task, context, record }: InferenceCall<Response>,
    open: OpenCall,
    failed: readonly FailedAttempt[],
    use: CappedUse | undefined,
  ): Promise<unknown> {
    try {
      await open.moveTo(reservationOf(planned, context)).catch((error: unknown) => {
        throw task.explain?.(error, planned) ?? error;
      });
      await this.recorder.moveTo(record, planned);
      return undefined;
    } catch (error) {
      use?.release();
      if (routedBudget(error)) return error;
      throw withPreviousErrors(error, failed);
    }
  }
}

/** Identifies an endpoint together with the address at which it is called. */
const addressKeyOf = ({ model, endpoint, channel }: PlannedEndpoint): string =>
  `${model} ${nameOfEndpoint(endpoint)} ${channel?.baseUrl ?? ''}`;
