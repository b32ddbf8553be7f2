import { Injectable } from '@nestjs/common';
import type { CacheUse } from '../../kernel/cache-use.js';
import type { BilledResponse } from '../call.js';
import type { InferenceContext } from '../task.js';
import { NO_TOKENS } from '../usage-judgement.js';
import { CacheHits, isReusable, type CachedCall, type ReusedCall } from './cached-call.js';
import { ResponseCache, type Reusable } from './response-cache.js';
import { servedCallOf, type ServedCall } from './served-call.js';
import { SharedContext } from './shared-context.js';
import { SharedResponse, type MadeResponse } from './shared-response.js';

/** A call whose response is returned as a whole. */
interface CompleteCall<Content> extends CachedCall {
  make(context: InferenceContext): Promise<MadeResponse<Content>>;
}

/** Complete responses: from the cache, from equal running calls, or from new calls. */
@Injectable()
export class CachedCompletions {
  constructor(
    private readonly cache: ResponseCache,
    private readonly hits: CacheHits,
  ) {}

  /** False if the operator switched the cache off. */
  get isOn(): boolean {
    return this.cache.isOn;
  }

  async complete<Content>(call: CompleteCall<Content>, context: InferenceContext): Promise<BilledResponse<Content>> {
    const { cache: use } = context as { readonly cache: CacheUse };
    const key = await this.hits.keyOf(call, context);
    const cached = use.refreshes ? undefined : this.cache.find<Content>(key, use.ttlMs);
    if (cached) return billedNothing(await this.hits.reuse(call, cached, context), cached.response);
    const underWay = use.refreshes ? undefined : (this.cache.callFor(key) as SharedResponse<Content> | undefined);
    if (underWay) return this.#join(call, underWay, context);
    use.report({ isHit: false, ageMs: 0, ttlMs: use.ttlMs });
    return this.#begin(call, key, context);
  }

  async #join<Content>(
    call: CompleteCall<Content>,
    shared: SharedResponse<Content>,
    context: InferenceContext,
  ): Promise<BilledResponse<Content>> {
    const free = this.hits.startShared(call, context);
    const { reusable, served } = await shared.read(context.signal);
    await this.hits.share(call, free, served);
    const { ttlMs } = context.cache!;
    context.cache!.report({ isHit: true, ageMs: 0, ttlMs });
    return billedNothing(free, reusable);
  }

  async #begin<Content>(
    call: CompleteCall<Content>,
    key: string,
    context: InferenceContext,
  ): Promise<BilledResponse<Content>> {
    const shared: SharedResponse<Content> = new SharedResponse<Content>(() => this.cache.end(key, shared));
    this.cache.begin(key, shared);
    // Adds the caller as a reader before the call starts.
    const reading = shared.read(context.signal);
    shared.run(async () => {
      let served: ServedCall | undefined;
      try {
        const { own, reusable } = await call.make(
          new SharedContext(context, shared.signal, (attempt, charge) => {
            served = servedCallOf(attempt, charge, context);
          }),
        );
        if (isReusable(call, served!.finishReason))
          this.cache.store(key, shared, {
            served: served!,
            response: reusable,
            storedAt: performance.now(),
            ttlMs: context.cache!.ttlMs,
          });
        return { own, reusable, served: served! };
      } finally {
        this.cache.end(key, shared);
      }
    });
    return (await reading).own;
  }
}

function billedNothing<Content>(
  { generationId, created }: ReusedCall,
  response: Reusable<Content>,
): BilledResponse<Content> {
  return {
    generationId,
    content: response.contentFor(generationId, created),
    streamed: false,
    tokens: NO_TOKENS,
    used: { tokens: NO_TOKENS },
    cost: 0n,
    upstreamCost: 0n,
    isByok: false,
  };
}
