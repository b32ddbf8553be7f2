import { Injectable } from '@nestjs/common';
import type { OpenCall } from '../../billing/open-call.js';
import type { SpendRequest } from '../../billing/spending.js';
import { GatewayError, type ErrorKind } from '../../kernel/errors/errors.js';
import { toGenerationId } from '../../kernel/ids.js';
import { currentRequest } from '../../kernel/request-scope.js';
import type { AttemptSpan } from '../../kernel/request-trace.js';
import type { SecretValue } from '../../kernel/secret-value.js';
import type { EndpointCall } from '../../providers/ports/endpoint-call.js';
import { CredentialDirectory } from '../../secrets/credential-directory.js';
import { failedSpan, startAttemptSpan } from './attempt-span.js';
import { CallRecorder, type CallRecord } from '../call-recorder.js';
import { AssumedPrices } from '../assumed-prices.js';
import { EndpointHealth, EndpointUnhealthy } from '../routing/endpoint-health.js';
import { attemptReports, withPreviousErrors, type FailedAttempt } from './failed-attempts.js';
import { LatencyTracker, type AttemptTiming } from '../routing/latency-tracker.js';
import { SessionEndpoints } from '../routing/session-endpoints.js';
import type { Attempt, InferenceContext, Output, PlannedEndpoint, Task, TaskResponse } from '../task.js';
import { isPricedByTokens } from '../usage-judgement.js';
import { logFailure } from './vendor-failure-log.js';

/** A planned call, for as long as it lasts. */
export interface InferenceCall<Response extends TaskResponse> {
  readonly task: Task<Response>;
  readonly context: InferenceContext;
  /** The attempts that it may make, in their order. Never empty. */
  readonly plan: readonly PlannedEndpoint[];
  readonly record: CallRecord;
}

export class RunningAttempt implements Attempt {
  /** Undefined = the request is not traced. */
  span: AttemptSpan | undefined;
  readonly #startedAt = performance.now();

  constructor(
    readonly planned: PlannedEndpoint,
    readonly generationId: string,
    readonly endpointCall: EndpointCall,
    private readonly record: CallRecord,
    private readonly timing: AttemptTiming,
    private readonly open: Pick<OpenCall, 'enterVendor' | 'leaveVendor' | 'isAlone'>,
  ) {
    open.enterVendor();
  }

  /** Whether the caller's own credential is used: the call then costs no credits. */
  get isByok(): boolean {
    return this.planned.ownCredentialId !== undefined;
  }

  /** See OpenCall. */
  get isAlone(): boolean {
    return this.open.isAlone;
  }

  firstByte(): void {
    this.record.firstByte();
    this.timing.firstByte();
  }

  /** The vendor has nothing more to send. Called once. */
  leaveVendor(): void {
    this.open.leaveVendor(performance.now() - this.#startedAt);
  }

  /** The complete response is held. */
  finish({ images, characters, outputTokens }: Output): void {
    this.timing.finish(images ?? characters ?? outputTokens ?? 0);
  }
}

/** The attempt that succeeded. */
export interface Success<Response extends TaskResponse> {
  readonly call: InferenceCall<Response>;
  readonly attempt: RunningAttempt;
  readonly response: Response;
}

/** What an attempt reserves. */
export function reservationOf(
  { endpoint: { provider }, model, prepared: { worstCase }, ownCredentialId }: PlannedEndpoint,
  { caller }: InferenceContext,
): SpendRequest['first'] {
  return ownCredentialId === undefined
    ? { worstCase, source: 'platform', model, provider }
    : { worstCase, source: 'own_credential', countsInLimit: caller.countsByok, model, provider };
}

/** Makes the attempts of a plan, one after the other, until an endpoint responds. */
@Injectable()
export class AttemptRunner {
  constructor(
    private readonly recorder: CallRecorder,
    private readonly credentials: CredentialDirectory,
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
    for (const [index, planned] of plan.entries()) {
      if (refusing?.has(planned.model)) continue;
      if (index > 0) {
        await this.#moveTo(planned, call, open).catch((error: unknown) => {
          throw withPreviousErrors(error, failed);
        });
      }
      if (request) request.adjusted = planned.prepared.adjusted;
      const startedAt = performance.now();
      let attempt: RunningAttempt | undefined;
      try {
        // An own credential is read, and its use audited, only for an endpoint that can be called.
        if (planned.ownCredentialId !== undefined) this.health.assertCallable(planned.endpoint);
        const credential =
          planned.ownCredentialId === undefined
            ? planned.credential
            : await this.credentials.open(planned.ownCredentialId, context.caller, context.place);
        const begun = new RunningAttempt(
          planned,
          generationId,
          endpointCallOf(planned, credential, context),
          record,
          this.latency.start(planned.endpoint),
          open,
        );
        attempt = begun;
        begun.span = startAttemptSpan(task, planned, generationId, context);
        const response = await this.health.watch(planned.endpoint, (lasts) =>
          task.invoke(begun, (end) => {
            lasts(end);
            end.catch((error: unknown) => {
              begun.span?.end(failedSpan(error));
              logFailure(planned.endpoint, error, true);
              if (mayFallBack(error)) this.#leaveSession(task, planned);
            });
          }),
        );
        const latencyMs = performance.now() - startedAt;
        const { providerName: provider, priceAssumed } = planned.endpoint;
        record.attempts = attemptReports(failed, { provider, latencyMs, ...(priceAssumed ? { priceAssumed } : {}) });
        if (priceAssumed) {
          this.assumed.report(planned);
          // A call that was served is billed even where its label cannot be stored.
          await this.recorder.relabel(record, planned.model, planned.endpoint.provider).catch(() => undefined);
        }
        if (task.session !== undefined) this.sessions.succeeded(task.session, planned.model, planned.endpoint);
        return { call, attempt: begun, response };
      } catch (thrown) {
        const error = unknownToVendor(thrown, planned) ?? thrown;
        attempt?.leaveVendor();
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
      }
    }
    throw failure;
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

const endpointCallOf = (
  { endpoint, options }: PlannedEndpoint,
  credential: SecretValue | null,
  { caller, signal, user }: InferenceContext,
): EndpointCall => ({
  upstreamModel: endpoint.upstreamModel,
  provider: endpoint.provider,
  package: endpoint.package,
  credential,
  options,
  needsUsage: isPricedByTokens(endpoint),
  timeoutMs: endpoint.timeoutMs,
  signal,
  user,
  callerKey: caller.keyHash,
});

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
