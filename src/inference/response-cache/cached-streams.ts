import { Injectable } from '@nestjs/common';
import type { CacheUse } from '../../kernel/cache-use.js';
import type { BilledStream } from '../../billing/spending.js';
import { currentRequest } from '../../kernel/request-scope.js';
import type { ByteOutlet } from '../../kernel/byte-outlet.js';
import type { InferenceContext } from '../task.js';
import { CacheHits, isReusable, type CachedCall, type ReusedCall } from './cached-call.js';
import { ResponseCache } from './response-cache.js';
import { servedCallOf } from './served-call.js';
import { SharedContext } from './shared-context.js';
import { SharedStream, type StreamReader } from './shared-stream.js';

/** A call whose response is a stream. */
export interface StreamCall extends CachedCall {
  /**
   * When the call is settled, calls `settled` with the end of the stream for all readers except the original caller.
   */
  make(context: InferenceContext, settled: (free: Uint8Array) => void): Promise<BilledStream>;
}

/** Streams: from the cache, from equal running calls, or from new calls. */
@Injectable()
export class CachedStreams {
  constructor(
    private readonly cache: ResponseCache,
    private readonly hits: CacheHits,
  ) {}

  /** False if the operator switched the cache off. */
  get isOn(): boolean {
    return this.cache.isOn;
  }

  async stream(call: StreamCall, context: InferenceContext): Promise<BilledStream> {
    const { cache: use } = context as { readonly cache: CacheUse };
    const key = await this.hits.keyOf(call, context);
    const cached = use.refreshes ? undefined : this.cache.find<Uint8Array>(key, use.ttlMs);
    if (cached) {
      const free = await this.hits.reuse(call, cached, context);
      const bytes = cached.response.contentFor(free.generationId, free.created);
      return { generationId: free.id, deliver: (outlet) => Promise.resolve(outlet.end(bytes)) };
    }
    const underWay = use.refreshes ? undefined : (this.cache.callFor(key) as SharedStream | undefined);
    use.report({ isHit: underWay !== undefined, ageMs: 0, ttlMs: use.ttlMs });
    if (underWay) return this.#join(call, underWay, context);
    const shared: SharedStream = new SharedStream(() => this.cache.end(key, shared), this.cache);
    this.cache.begin(key, shared);
    const reader = shared.open(context.signal);
    void this.#run(call, shared, key, context);
    await reader.started();
    return { generationId: shared.id, deliver: (outlet) => passOn(shared, reader, outlet) };
  }

  async #join(call: StreamCall, shared: SharedStream, context: InferenceContext): Promise<BilledStream> {
    const free = this.hits.startShared(call, context);
    const reader = shared.open(context.signal, free);
    try {
      await reader.started();
      this.hits.announce(free, shared);
    } catch (error) {
      this.hits.failed(context);
      throw error;
    }
    return {
      generationId: free.id,
      deliver: (outlet) => passOn(shared, reader, outlet, (cancelled) => this.#record(call, free, shared, cancelled)),
    };
  }

  async #record(call: StreamCall, free: ReusedCall, { served }: SharedStream, cancelled: boolean): Promise<void> {
    if (served) await this.hits.share(call, free, served, cancelled);
  }

  /** Never rejects, because the readers get the failure. */
  async #run(call: StreamCall, shared: SharedStream, key: string, context: InferenceContext): Promise<void> {
    try {
      const stream = await call.make(
        new SharedContext(context, shared.signal, (attempt, charge) => {
          shared.served = servedCallOf(attempt, charge, context);
        }),
        (free) => shared.settled(free),
      );
      shared.adjusted = currentRequest()?.adjusted;
      shared.start(stream.generationId);
      await stream.deliver(shared);
      this.#keep(call, shared, key, context.cache!.ttlMs);
    } catch (error) {
      shared.fail(error);
    } finally {
      shared.release();
    }
  }

  #keep(call: StreamCall, shared: SharedStream, key: string, ttlMs: number): void {
    const { served } = shared;
    const whole = shared.whole();
    if (!whole || !served || !isReusable(call, served.finishReason)) return;
    const response = { bytes: whole.size, contentFor: (id: string, created: number) => whole.for(id, created) };
    this.cache.store(key, shared, { served, response, storedAt: performance.now(), ttlMs });
  }
}

/**
 * Sends the stream to one reader. Calls `record` before the last byte of a stream that succeeded. If the reader's
 * caller disconnected, calls it after the end of the stream, even if the stream failed.
 */
async function passOn(
  stream: SharedStream,
  reader: StreamReader,
  outlet: ByteOutlet,
  record: (cancelled: boolean) => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  try {
    while (outlet.isOpen) {
      const piece = reader.next();
      if (piece) {
        const wait = outlet.write(piece);
        if (wait) await wait;
      } else if (stream.isOver) break;
      else await stream.changed;
    }
  } finally {
    reader.leave();
  }
  if (!outlet.isOpen) {
    await stream.ended;
    return record(true);
  }
  const { ending } = reader;
  if (!ending) return outlet.cut();
  if (ending.isComplete) await record(false);
  outlet.end(ending.bytes);
}
