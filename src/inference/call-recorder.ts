import { Injectable } from '@nestjs/common';
import type { AttemptReport, CallFacts } from '../kernel/call-facts.js';
import { generationDetail, type GenerationDetail } from '../usage/generation-detail.js';
import { MODALITY, type GenerationRecord, type Modality } from '../usage/generation-record.js';
import { UsageLabels } from '../usage/usage-labels.js';
import { STATUS } from '../kernel/errors/error-status.js';
import { GatewayError } from '../kernel/errors/errors.js';
import type { Nano } from '../kernel/money.js';
import { FINISH_REASONS, type FinishReason } from '../formats/conversation.js';
import { withFailure } from './attempts/failed-attempts.js';
import type { InferenceContext, PlannedEndpoint, Task, TaskResponse, Usage } from './task.js';
import { whenReady } from './when-ready.js';

/** The result of a call. */
interface CallOutcome {
  /** Absent if nothing was used. */
  readonly usage?: Usage;
  readonly upstreamCost: Nano;
  readonly status: number;
  readonly isByok: boolean;
  readonly streamed: boolean;
  readonly finishReason?: FinishReason;
  /** Whether the caller disconnected before the end of a billed response. */
  readonly cancelled?: boolean;
  readonly facts?: CallFacts;
}

/** Labels that callers choose. */
type CallerLabel = 'externalUser' | 'app' | 'origin';

/**
 * Collects the data for the record of one call: the times of its start and its first byte, its attempts, and its
 * labels.
 */
export class CallRecord {
  /** The attempts that have ended, in order. */
  attempts: readonly AttemptReport[] = [];
  readonly #start = performance.now();
  #firstByte: number | undefined;
  readonly #numbers: Partial<Record<CallerLabel, number>> = {};

  constructor(
    private readonly modality: Modality,
    public model: number,
    public provider: number,
    private readonly context: InferenceContext,
    private readonly labels: UsageLabels,
  ) {}

  /** Call it when the first byte of the vendor's response has arrived. */
  firstByte(): void {
    this.#firstByte ??= performance.now();
  }

  /**
   * Looks up the numbers of the caller's labels, and stores new labels. Call it before `of` for a call that will be
   * billed, and not for a refused call. Returns undefined if all numbers are cached.
   */
  resolveLabels(): Promise<void> | undefined {
    const unknown = this.#textsOf().filter(([kind, text]) => {
      const number = this.labels.cached(kind, text);
      if (number !== undefined) this.#numbers[kind] = number;
      return number === undefined;
    });
    return unknown.length === 0 ? undefined : this.#resolve(unknown);
  }

  of(outcome: CallOutcome): GenerationRecord {
    const { usage, upstreamCost, status, isByok, streamed, finishReason } = outcome;
    const now = performance.now();
    return {
      upstream_cost: upstreamCost.toString(),
      workspace_no: this.context.caller.workspaceNo,
      model: this.model,
      provider: this.provider,
      external_user: this.#numbers.externalUser ?? null,
      app: this.#numbers.app ?? null,
      origin: this.#numbers.origin ?? null,
      finish_reason: (finishReason && this.labels.cached('finishReason', finishReason)) ?? null,
      tokens_prompt: usage?.tokens.prompt ?? 0,
      tokens_completion: usage?.tokens.completion ?? 0,
      tokens_reasoning: usage?.tokens.reasoning || null,
      tokens_cached: usage?.tokens.cached || null,
      characters: usage?.characters || null,
      latency_ms: Math.round((this.#firstByte ?? now) - this.#start),
      duration_ms: Math.round(now - this.#start),
      status,
      images: usage?.images || null,
      modality: MODALITY[this.modality],
      is_byok: isByok,
      streamed,
      detail: this.#detail(outcome),
    };
  }

  /** The record of a call that was not billed. */
  failed(error: unknown, streamed: boolean): GenerationRecord {
    const kind = error instanceof GatewayError ? error.kind : 'internal';
    const status = STATUS[kind];
    const cancelled = kind === 'caller_gone';
    for (const [kind, text] of this.#textsOf()) this.#numbers[kind] ??= this.labels.cached(kind, text);
    // The caller sees this finish reason if the response has started.
    const finishReason = this.modality === 'chat' && !cancelled && this.#firstByte !== undefined ? 'error' : undefined;
    const facts = withFailure(this.attempts, error);
    return this.of({ upstreamCost: 0n, status, isByok: false, streamed, cancelled, finishReason, facts });
  }

  #detail({ facts, cancelled }: CallOutcome): GenerationDetail {
    const { context, attempts } = this;
    return generationDetail({
      ...context.facts,
      tags: context.tags,
      requestId: context.place?.requestId,
      attempts,
      cancelled,
      ...facts,
    });
  }

  #textsOf(): (readonly [CallerLabel, string])[] {
    const { user, app, origin } = this.context;
    const texts: (readonly [CallerLabel, string | undefined])[] = [
      ['externalUser', user],
      ['app', app],
      ['origin', origin],
    ];
    return texts.filter((entry): entry is readonly [CallerLabel, string] => entry[1] !== undefined);
  }

  async #resolve(texts: readonly (readonly [CallerLabel, string])[]): Promise<void> {
    for (const [kind, text] of texts) {
      // A delivered call is billed even if its labels cannot be stored.
      this.#numbers[kind] = await this.labels
        .numberFor(this.context.caller.accountNo, kind, text)
        .catch(() => undefined);
    }
  }
}

/**
 * The model name for a call's record. Labels are stored permanently. A name that the caller chose becomes a label only
 * after the vendor has served it. Before that, the label of the family is used, such as `anthropic/claude-*`.
 */
const labelOf = (model: string, { priceAssumed, listedAs }: PlannedEndpoint['endpoint']): string =>
  priceAssumed ? `${model.slice(0, model.indexOf('/'))}/${listedAs}` : model;

/** Creates the records of calls. */
@Injectable()
export class CallRecorder {
  constructor(private readonly labels: UsageLabels) {}

  /** Synchronous if the numbers of all labels are cached. */
  open(
    { capability }: Task<TaskResponse>,
    { model, endpoint }: PlannedEndpoint,
    context: InferenceContext,
  ): CallRecord | Promise<CallRecord> {
    const reasons = capability === 'chat' ? FINISH_REASONS : [];
    return whenReady(
      [
        this.labels.numberOf('model', labelOf(model, endpoint)),
        this.labels.numberOf('provider', endpoint.provider),
        ...reasons.map((reason) => this.labels.numberOf('finishReason', reason)),
      ],
      ([modelNo, providerNo]) => new CallRecord(capability, modelNo!, providerNo!, context, this.labels),
    );
  }

  /** The record of a call that reuses a response; `relabel` sets its model and provider. */
  openFree(modality: Modality, context: InferenceContext): CallRecord {
    return new CallRecord(modality, 0, 0, context, this.labels);
  }

  /** Sets the model and the provider of the record when the call continues at another endpoint. */
  moveTo(record: CallRecord, { model, endpoint }: PlannedEndpoint): Promise<void> {
    return this.relabel(record, labelOf(model, endpoint), endpoint.provider);
  }

  async relabel(record: CallRecord, model: string, provider: string): Promise<void> {
    record.model = await this.labels.numberOf('model', model);
    record.provider = await this.labels.numberOf('provider', provider);
  }
}
