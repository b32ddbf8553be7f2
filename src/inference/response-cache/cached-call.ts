import { Injectable, Logger } from '@nestjs/common';
import type { AttemptBudget } from '../../billing/bill.js';
import { FreeCalls } from '../../billing/free-calls.js';
import type { CacheUse } from '../../kernel/cache-use.js';
import { Clock } from '../../kernel/clock.js';
import type { FinishReason } from '../../formats/conversation.js';
import { reasonOf } from '../../kernel/errors/errors.js';
import { newId, parseGenerationId, toGenerationId } from '../../kernel/ids.js';
import { currentRequest } from '../../kernel/request-scope.js';
import { CredentialDirectory } from '../../secrets/credential-directory.js';
import type { Modality } from '../../usage/generation-record.js';
import { CallRecorder, type CallRecord } from '../call-recorder.js';
import type { InferenceContext } from '../task.js';
import type { WorstCase } from '../text/worst-case.js';
import { cacheKeyOf, type CachedRequest } from './cache-key.js';
import type { CachedResponse } from './response-cache.js';
import type { ServedCall } from './served-call.js';

/** A call whose response may be reused. */
export interface CachedCall {
  readonly modality: Modality;
  readonly request: CachedRequest;
  /** Rewrites the message of a refusal, so that it says what the caller can do. */
  explain(error: unknown, worst: WorstCase): unknown;
}

/** A call that reuses a response. It is a separate generation at price zero. */
export interface ReusedCall {
  readonly id: string;
  /** The public form of the generation's id. */
  readonly generationId: string;
  readonly at: Date;
  /** Creation time of the response, Unix seconds. */
  readonly created: number;
  readonly context: InferenceContext;
  readonly record: CallRecord;
}

interface Delivery {
  readonly streamed: boolean;
  /** The caller disconnected before the end. */
  readonly cancelled?: boolean;
  /** The maximum cost that a call to the vendor would reserve; absent = the limits were checked for the shared call. */
  readonly budget?: AttemptBudget;
}

/** The common part of cached complete responses and cached streams. */
@Injectable()
export class CacheHits {
  readonly #log = new Logger('response cache');

  constructor(
    private readonly recorder: CallRecorder,
    private readonly calls: FreeCalls,
    private readonly clock: Clock,
    private readonly credentials: CredentialDirectory,
  ) {}

  async keyOf({ request }: CachedCall, { caller }: InferenceContext): Promise<string> {
    return cacheKeyOf(caller, await this.credentials.idsFor(caller), request);
  }

  /**
   * Starts a call that shares a running call. For a stream, the generation is announced immediately, because a
   * keep-alive comment may send the response headers before the stream starts.
   */
  startShared({ modality, request }: CachedCall, context: InferenceContext): ReusedCall {
    const free = this.#newCall(modality, context);
    if (request.isStream) announce(free.generationId);
    return free;
  }

  /** Announces the generation of a stream that shares a running call, with the changes to the request of that call. */
  announce({ generationId }: ReusedCall, { adjusted }: Pick<ServedCall, 'adjusted'>): void {
    announce(generationId, adjusted);
  }

  /** Withdraws the announced generation, because the stream of the shared call failed before it started. */
  failed({ cache }: InferenceContext): void {
    announce(undefined);
    cache?.report(undefined);
  }

  /** Records a call that gets a cached response. Throws the refusal that a call to the vendor would get. */
  async reuse(call: CachedCall, cached: CachedResponse<unknown>, context: InferenceContext): Promise<ReusedCall> {
    const { served, storedAt, ttlMs } = cached;
    const { cache } = context as { readonly cache: CacheUse };
    const free = this.#newCall(call.modality, context);
    try {
      await this.#record(free, served, { streamed: call.request.isStream, budget: served.budget });
    } catch (error) {
      throw call.explain(error, served.worst);
    }
    announce(free.generationId, served.adjusted);
    const ageMs = performance.now() - storedAt;
    cache.report({ isHit: true, ageMs, ttlMs: Math.max(0, ttlMs - ageMs) });
    return free;
  }

  /**
   * Records a call that shared a running call. The response is delivered even if recording fails, because the call is
   * free.
   */
  async share(call: CachedCall, free: ReusedCall, served: ServedCall, cancelled = false): Promise<void> {
    announce(free.generationId, served.adjusted);
    await this.#record(free, served, { streamed: call.request.isStream, cancelled }).catch((error: unknown) =>
      this.#log.warn(`${free.generationId} could not be recorded: ${reasonOf(error)}`),
    );
  }

  #newCall(modality: Modality, context: InferenceContext): ReusedCall {
    const at = this.clock.now();
    const id = newId(at.getTime());
    const created = Math.floor(at.getTime() / 1_000);
    const record = this.recorder.openFree(modality, context);
    return { id, generationId: toGenerationId(id), at, created, context, record };
  }

  /** If a budget refuses the call, throws the refusal and records nothing. */
  async #record(
    { id, at, context, record }: ReusedCall,
    { generationId, model, provider, finishReason, facts }: ServedCall,
    { streamed, cancelled, budget }: Delivery,
  ): Promise<void> {
    record.firstByte();
    await this.recorder.relabel(record, model, provider);
    const labels = record.resolveLabels();
    if (labels) await labels;
    await this.calls.record({
      generationId: id,
      at,
      payer: context.caller,
      budget,
      record: record.of({
        upstreamCost: 0n,
        status: 200,
        isByok: false,
        streamed,
        finishReason,
        cancelled,
        facts: { ...facts, cacheSourceId: parseGenerationId(generationId) },
      }),
    });
  }
}

/** Announces the generation of the current request in its header and the log, with the changes to the request. */
function announce(generationId: string | undefined, adjusted?: readonly string[]): void {
  const request = currentRequest();
  if (!request) return;
  request.generationId = generationId;
  request.adjusted = adjusted;
}

/** Whether a response can be reused: text needs a finish reason other than `error`. */
export const isReusable = ({ modality }: CachedCall, finish: FinishReason | undefined): boolean =>
  modality !== 'chat' || (finish !== undefined && finish !== 'error');
