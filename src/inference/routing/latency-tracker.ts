import { Injectable } from '@nestjs/common';
import type { CatalogueEndpoint } from '../../catalogue/catalogue-model.js';
import { nameOfEndpoint } from './endpoint-health.js';
import type { EndpointLatency } from './endpoint-order.js';

/** The weight of the newest call in the moving averages. */
const WEIGHT = 0.2;

interface Averages {
  latencyMs: number;
  perSecond: number;
}

/** Measures the time of one attempt. */
export interface AttemptTiming {
  firstByte(): void;
  /** The response is complete. `amount`: images, characters spoken, or output tokens. */
  finish(amount: number): void;
}

/** The latency and throughput of endpoints, measured in this process: moving averages over completed calls. */
@Injectable()
export class LatencyTracker implements EndpointLatency {
  readonly #averages = new Map<string, Averages>();

  latencyMs(endpoint: CatalogueEndpoint): number | undefined {
    return this.#averages.get(nameOfEndpoint(endpoint))?.latencyMs;
  }

  /** Images, characters spoken, or output tokens per second of the whole call. */
  perSecond(endpoint: CatalogueEndpoint): number | undefined {
    return this.#averages.get(nameOfEndpoint(endpoint))?.perSecond;
  }

  /** Starts timing an attempt. An attempt that is never finished is not counted. */
  start(endpoint: CatalogueEndpoint): AttemptTiming {
    const startedAt = performance.now();
    let firstByteAt: number | undefined;
    return {
      firstByte: () => void (firstByteAt ??= performance.now()),
      finish: (amount) => {
        const now = performance.now();
        const seconds = Math.max(now - startedAt, 1) / 1000;
        this.#add(nameOfEndpoint(endpoint), (firstByteAt ?? now) - startedAt, amount / seconds);
      },
    };
  }

  #add(name: string, latencyMs: number, perSecond: number): void {
    const averages = this.#averages.get(name);
    if (!averages) return void this.#averages.set(name, { latencyMs, perSecond });
    averages.latencyMs += WEIGHT * (latencyMs - averages.latencyMs);
    averages.perSecond += WEIGHT * (perSecond - averages.perSecond);
  }
}
