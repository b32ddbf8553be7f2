import type { BilledResponse } from '../call.js';
import type { Reusable } from './response-cache.js';
import type { ServedCall } from './served-call.js';
import { SharedCall } from './shared-call.js';

/** A complete response. */
export interface MadeResponse<Content> {
  /** For the caller that caused the call. */
  readonly own: BilledResponse<Content>;
  /** For all other callers. */
  readonly reusable: Reusable<Content>;
}

interface SharedResult<Content> extends MadeResponse<Content> {
  readonly served: ServedCall;
}

/** A shared call whose response is returned as a whole. */
export class SharedResponse<Content> extends SharedCall {
  readonly #result = Promise.withResolvers<SharedResult<Content>>();

  /** Starts the call. If it fails, each `read` rejects. */
  run(work: () => Promise<SharedResult<Content>>): void {
    this.#result.promise.catch(() => undefined);
    work()
      .finally(() => this.finish())
      .then(this.#result.resolve, this.#result.reject);
  }

  /** Rejects with the failure of the call, or when the reader disconnects. */
  async read(reader: AbortSignal): Promise<SharedResult<Content>> {
    const gone = Promise.withResolvers<never>();
    const leave = this.enter(reader, () => gone.reject(reader.reason as Error));
    try {
      return await Promise.race([this.#result.promise, gone.promise]);
    } finally {
      leave();
    }
  }
}
