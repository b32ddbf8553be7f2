import { Injectable, Logger } from '@nestjs/common';
import type { CacheUse } from '../../kernel/cache-use.js';
import type { FinishReason } from '../../formats/conversation.js';
import { reasonOf } from '../../kernel/errors/errors.js';
import { CredentialDirectory } from '../../secrets/credential-directory.js';
import type { Modality } from '../../usage/generation-record.js';
import type { InferenceContext } from '../task.js';
import type { WorstCase } from '../text/worst-case.js';
import { cacheKeyOf, type CachedRequest } from './cache-key.js';
import { FreeRecords, type ReusedCall } from './free-records.js';
import type { CachedResponse } from './response-cache.js';
import type { ServedCall } from './served-call.js';

/** A call whose response may be reused. */
export interface CachedCall {
  readonly modality: Modality;
  readonly request: CachedRequest;
  /** Converts a refusal to a message that helps the caller. */
  explain(error: unknown, worst: WorstCase): unknown;
}

/** The common part of cached complete responses and cached streams. */
@Injectable()
export class CacheHits {
  readonly #log = new Logger('response cache');

  constructor(
    private readonly records: FreeRecords,
    private readonly credentials: CredentialDirectory,
  ) {}

  async keyOf({ request }: CachedCall, { caller }: InferenceContext): Promise<string> {
    return cacheKeyOf(caller, await this.credentials.idsFor(caller), request);
  }

  /**
   * Starts a call that shares a running one. For a stream the generation is announced immediately, because a keep-alive
   * comment may send the response headers before the stream starts.
   */
  open({ modality, request }: CachedCall, context: InferenceContext): ReusedCall {
    const free = this.records.open(modality, context);
    if (request.isStream) this.records.announce(free.generationId);
    return free;
  }

  /**
   * Announces the generation of a stream that shares a running one, with the changes to the request of the running one.
   */
  announce({ generationId }: ReusedCall, { adjusted }: Pick<ServedCall, 'adjusted'>): void {
    this.records.announce(generationId, adjusted);
  }

  /** Withdraws the announced generation, because the stream of the shared call failed before it started. */
  failed({ cache }: InferenceContext): void {
    this.records.announce(undefined);
    cache?.report(undefined);
  }

  /** Records a call that gets a cached response. Throws the same refusal as for a separate call. */
  async reuse(call: CachedCall, cached: CachedResponse<unknown>, context: InferenceContext): Promise<ReusedCall> {
    const { served, storedAt, ttlMs } = cached;
    const { cache } = context as { readonly cache: CacheUse };
    const free = this.records.open(call.modality, context);
    try {
      await this.records.close(free, served, { streamed: call.request.isStream, budget: served.budget });
    } catch (error) {
      throw call.explain(error, served.worst);
    }
    this.records.announce(free.generationId, served.adjusted);
    const ageMs = performance.now() - storedAt;
    cache.report({ isHit: true, ageMs, ttlMs: Math.max(0, ttlMs - ageMs) });
    return free;
  }

  /**
   * Records a call that shared a running one. The response is delivered even if recording fails, because it costs
   * nothing.
   */
  async share(call: CachedCall, free: ReusedCall, served: ServedCall, cancelled = false): Promise<void> {
    this.records.announce(free.generationId, served.adjusted);
    await this.records
      .close(free, served, { streamed: call.request.isStream, cancelled })
      .catch((error: unknown) => this.#log.warn(`${free.generationId} could not be recorded: ${reasonOf(error)}`));
  }
}

/** Whether a response can be reused: text needs a finish reason other than `error`. */
export const isReusable = ({ modality }: CachedCall, finish: FinishReason | undefined): boolean =>
  modality !== 'chat' || (finish !== undefined && finish !== 'error');
