import type { OpenCall } from '../../billing/open-call.js';
import type { CappedUse } from '../../channels/channel-caps.js';
import type { OpenedChannel } from '../../channels/channel-directory.js';
import { upstreamModelOf } from '../../channels/channel.js';
import type { AttemptSpan } from '../../kernel/request-trace.js';
import type { EndpointCall } from '../../providers/ports/endpoint-call.js';
import type { CallRecord } from '../call-recorder.js';
import type { AttemptTiming } from '../routing/latency-tracker.js';
import type { Attempt, InferenceContext, Output, PlannedEndpoint } from '../task.js';
import { isPricedByTokens } from '../usage-judgement.js';

/** An attempt while it is running. */
export class RunningAttempt implements Attempt {
  /** Undefined if the request is not traced. */
  span: AttemptSpan | undefined;
  /** Undefined if the credential has no limits. */
  use: CappedUse | undefined;
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

  /** Whether the caller's own credential is used. If so, the call costs no credits. */
  get isByok(): boolean {
    return this.planned.own !== undefined;
  }

  /** See OpenCall. */
  get isAlone(): boolean {
    return this.open.isAlone;
  }

  firstByte(): void {
    this.record.firstByte();
    this.timing.firstByte();
  }

  /** Call it once, when the vendor will send nothing more. */
  leaveVendor(): void {
    this.open.leaveVendor(performance.now() - this.#startedAt);
    this.use?.release();
  }

  /** Call it when the complete response is in memory. */
  finish({ images, characters, outputTokens }: Output): void {
    this.timing.finish(images ?? characters ?? outputTokens ?? 0);
  }
}

export const endpointCallOf = (
  { endpoint, model, options, channel }: PlannedEndpoint,
  opened: OpenedChannel,
  { caller, signal }: InferenceContext,
): EndpointCall => ({
  upstreamModel: channel ? upstreamModelOf(channel, endpoint, model) : endpoint.upstreamModel,
  provider: endpoint.provider,
  package: endpoint.package,
  credential: opened.secret,
  channel: opened.call,
  options,
  needsUsage: isPricedByTokens(endpoint),
  timeoutMs: endpoint.timeoutMs,
  signal,
  callerKey: caller.keyHash,
});
