import { Injectable } from '@nestjs/common';
import type { CatalogueEndpoint } from '../catalogue/catalogue-model.js';
import { nameOfEndpoint } from './endpoint-health.js';
import type { SeenPace } from './endpoint-order.js';

/** How much the newest call weighs. */
const WEIGHT = 0.2;

interface Averages {
  latencyMs: number;
  perSecond: number;
}

/** Times one try. */
export interface TryTiming {
  firstByte(): void;
  /** The complete answer is held; `amount` images, or characters spoken. */
  finish(amount: number): void;
}

/** How fast endpoints have been of late, as this process saw it: moving averages over completed calls. */
@Injectable()
export class EndpointPace implements SeenPace {
  readonly #seen = new Map<string, Averages>();

  latencyMs(endpoint: CatalogueEndpoint): number | undefined {
    return this.#seen.get(nameOfEndpoint(endpoint))?.latencyMs;
  }

  /** Images, or characters spoken, a second of the whole call. */
  perSecond(endpoint: CatalogueEndpoint): number | undefined {
    return this.#seen.get(nameOfEndpoint(endpoint))?.perSecond;
  }

  /** Begins to time a try at the endpoint; one that is never finished leaves no trace. */
  time(endpoint: CatalogueEndpoint): TryTiming {
    const begun = performance.now();
    let firstByteAt: number | undefined;
    return {
      firstByte: () => void (firstByteAt ??= performance.now()),
      finish: (amount) => {
        const now = performance.now();
        this.#note(nameOfEndpoint(endpoint), (firstByteAt ?? now) - begun, (amount * 1000) / Math.max(now - begun, 1));
      },
    };
  }

  #note(name: string, latencyMs: number, perSecond: number): void {
    const seen = this.#seen.get(name);
    if (!seen) return void this.#seen.set(name, { latencyMs, perSecond });
    seen.latencyMs += WEIGHT * (latencyMs - seen.latencyMs);
    seen.perSecond += WEIGHT * (perSecond - seen.perSecond);
  }
}
