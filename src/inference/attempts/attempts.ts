import { Injectable } from '@nestjs/common';
import type { OpenCall } from '../../billing/open-call.js';
import type { SpendRequest } from '../../billing/spending.js';
import { GatewayError, type ErrorKind } from '../../kernel/errors/errors.js';
import { toGenerationId } from '../../kernel/ids.js';
import { currentRequest } from '../../kernel/request-scope.js';
import type { CappedUse } from '../../channels/channel-caps.js';
import { CallCredentials } from './call-credentials.js';
import { failedSpan, startAttemptSpan } from './attempt-span.js';
import { CallRecorder, type CallRecord } from '../call-recorder.js';
import { AssumedPrices } from '../assumed-prices.js';
import { EndpointHealth, EndpointUnhealthy, isOutage, nameOfEndpoint } from '../routing/endpoint-health.js';
import { routedBudget } from './routed-budgets.js';
import { attemptReports, withPreviousErrors, type FailedAttempt } from './failed-attempts.js';
import { LatencyTracker } from '../routing/latency-tracker.js';
import { SessionEndpoints } from '../routing/session-endpoints.js';
import type { InferenceContext, PlannedEndpoint, Task, TaskResponse } from '../task.js';
import { endpointCallOf, RunningAttempt } from './running-attempt.js';
import { logFailure } from './vendor-failure-log.js';

/** The most calls of vendors that one request makes. */
const MAX_VENDOR_CALLS = 6;

/** A planned call, for as long as it lasts. */
export interface InferenceCall<Response extends TaskResponse> {
  readonly task: Task<Response>;
  readonly context: InferenceContext;
  /** The attempts that it may make, in their order, without those that a budget refused. Never empty. */
  plan: readonly PlannedEndpoint[];
  readonly record: CallRecord;
}

/** The attempt that succeeded. */
export interface Success<Response extends TaskResponse> {
  readonly call: InferenceCall<Response>;
  readonly attempt: RunningAttempt;
  readonly response: Response;
}

/** What an attempt reserves. */
export function reservationOf(
  { endpoint: { provider }, model, prepared: { worstCase }, own, channel }: PlannedEndpoint,
  { caller }: InferenceContext,
): SpendRequest['first'] {
  return own === undefined
    ? { worstCase, source: 'platform', model, provider, credentialId: channel?.id }
    : { worstCase, source: 'own_credential', countsInLimit: caller.countsByok, model, provider };
}

/** Makes the attempts of a plan, one after the other, until an endpoint responds. */
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

  /** `open` holds the reservation of the first attempt; falling back moves it. */
  async run<Response extends TaskResponse>(call: InferenceCall<Response>, open: OpenCall): Promise<Success<Response>> {
    const { task, context, plan, record } = call;
    const loading = task.load?.(context.signal);
    if (loading) await loading;
    const generationId = toGenerationId(open.generationId);
    const request = currentRequest();
    if (request) request.generationId = generationId;
    let failure: unknown;
    const failed: FailedAttempt[] = [];
    /** Models whose other endpoints would refuse the request in the same way. */
    let refusing: Set<string> | undefined;
    /** Addresses of endpoints that failed: other credentials of the platform's would reach the same. */
    let unreached: Set<string> | undefined;
    for (const [index, planned] of plan.entries()) {
      if (failed.length >= MAX_VENDOR_CALLS) break;
      if (refusing?.has(planned.model) || (planned.channel && unreached?.has(placeOf(planned)))) continue;
      let use: CappedUse | undefined;
      try {
        const admitting = this.credentials.admit(planned);
        if (admitting) use = await admitting;
      } catch (error) {
        // This attempt never began: another credential may be free.
        failure ??= error;
        continue;
      }
      if (index > 0) {
        const refusal = await this.#moveTo(planned, call, open).catch((error: unknown) => {
          use?.release();
          if (routedBudget(error)) return error;
          throw withPreviousErrors(error, failed);
        });
        if (refusal !== undefined) {
          failure ??= refusal;
          continue;
        }
      }
      if (request) request.adjusted = planned.prepared.adjusted;
      const startedAt = performance.now();
      let attempt: RunningAttempt | undefined;
      try {
        // An own credential is read, and its use audited, only for an endpoint that can be called.
        const address = planned.channel?.baseUrl ?? undefined;
        if (!planned.channel || planned.channel.isStored) this.health.assertCallable(planned.endpoint, address);
        const opening = this.credentials.open(planned, context);
        const credential = opening instanceof Promise ? await opening : opening;
        const begun = new RunningAttempt(
          planned,
          generationId,
          endpointCallOf(planned, credential, context),
          record,
          this.latency.start(planned.endpoint),
          open,
        );
        attempt = begun;
        begun.use = use;
        begun.span = startAttemptSpan(task, planned, generationId, context);
        const response = await this.health.watch(
          planned.endpoint,
          (lasts) =>
            task.invoke(begun, (end) => {
              lasts(end);
              end.catch((error: unknown) => {
                use?.release();
                begun.span?.end(failedSpan(error));
                logFailure(planned.endpoint, error, true);
                if (mayFallBack(error)) this.#leaveSession(task, planned);
              });
            }),
          address,
        );
        const latencyMs = performance.now() - startedAt;
        this.credentials.served(planned, latencyMs);
        const { providerName: provider, priceAssumed } = planned.endpoint;
        record.attempts = attemptReports(failed, { provider, latencyMs, ...(priceAssumed ? { priceAssumed } : {}) });
        if (priceAssumed) {
          this.assumed.report(planned);
          // A call that was served is billed even where its label cannot be stored.
          await this.recorder.relabel(record, planned.model, planned.endpoint.provider).catch(() => undefined);
        }
        if (task.session !== undefined) this.#keepSession(task.session, planned);
        return { call, attempt: begun, response };
      } catch (thrown) {
        const error = unknownToVendor(thrown, planned) ?? thrown;
        attempt?.leaveVendor();
        use?.release();
        this.credentials.failed(planned, error);
        attempt?.span?.end(failedSpan(error));
        if (error instanceof EndpointUnhealthy) {
          // Its breaker opened after the plan was made: this attempt never began.
          failure ??= error;
          continue;
        }
        logFailure(planned.endpoint, error, task.isCommitted);
        failed.push({ provider: planned.endpoint.providerName, error, latencyMs: performance.now() - startedAt });
        record.attempts = attemptReports(failed);
        this.#leaveSession(task, planned);
        failure = withPreviousErrors(error, failed);
        if (!mayFallBack(error) || task.isCommitted || context.signal.aborted) throw failure;
        if (isRefusal(error)) (refusing ??= new Set()).add(planned.model);
        if (isOutage(error) && planned.channel) (unreached ??= new Set()).add(placeOf(planned));
      }
    }
    throw failure;
  }

  #keepSession(session: string, { model, endpoint, channel }: PlannedEndpoint): void {
    this.sessions.succeeded(session, model, { endpoint, channel: channel?.version });
  }

  /** The endpoint failed: the session does not stay with it. */
  #leaveSession({ session }: Task<TaskResponse>, { model, endpoint }: PlannedEndpoint): void {
    if (session !== undefined) this.sessions.failed(session, model, endpoint);
  }

  async #moveTo<Response extends TaskResponse>(
    planned: PlannedEndpoint,
    { task, context, record }: InferenceCall<Response>,
    open: OpenCall,
  ): Promise<void> {
    try {
      await open.moveTo(reservationOf(planned, context));
    } catch (error) {
      throw task.explain?.(error, planned) ?? error;
    }
    await this.recorder.moveTo(record, planned);
  }
}

/** The vendor does not know a name that the caller chose: the catalogue has no part in it. */
function unknownToVendor(error: unknown, { endpoint }: PlannedEndpoint): GatewayError | undefined {
  if (endpoint.listedAs === undefined || !(error instanceof GatewayError) || error.vendorStatus !== 404)
    return undefined;
  const message = `${endpoint.providerName} knows no model ${endpoint.upstreamModel}. GET /models lists the models.`;
  return new GatewayError('not_found', message, { vendorStatus: 404, facts: { availability: 'model_not_found' } });
}

/** An endpoint at the address at which it is called. */
const placeOf = ({ model, endpoint, channel }: PlannedEndpoint): string =>
  `${model} ${nameOfEndpoint(endpoint)} ${channel?.baseUrl ?? ''}`;

/** Failures that no other endpoint changes. */
const CALLERS_FAILURES: ReadonlySet<ErrorKind> = new Set<ErrorKind>([
  'caller_gone',
  'insufficient_credits',
  'budget_exceeded',
  'unauthenticated',
]);

const mayFallBack = (error: unknown): boolean => !(error instanceof GatewayError && CALLERS_FAILURES.has(error.kind));

/** The request was refused, for a length, a moderation or a member that another model may take. */
const isRefusal = (error: unknown): boolean =>
  error instanceof GatewayError && (error.kind === 'invalid_request' || error.kind === 'payload_too_large');
