import { Injectable, Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { atMostEntries } from '../kernel/cache-options.js';
import { Metrics } from '../telemetry/metrics.js';
import { CounterCells } from '../telemetry/cells.js';
import type { PlannedEndpoint } from './task.js';

/** Maximum number of models for which a warning is not repeated. */
const MAX_WARNED = 1_000;

/** Reports calls that are billed at assumed prices, because the model is not in the catalogue. */
@Injectable()
export class AssumedPrices {
  readonly #log = new Logger('models');
  readonly #warned = new LRUCache<string, true>(atMostEntries(MAX_WARNED));
  readonly #calls = new CounterCells(
    'gatehouse_price_assumed_calls_total',
    'Calls of models outside the catalogue, which are billed at the highest prices of their family.',
    'family',
  );

  constructor(metrics: Metrics) {
    metrics.add('assumed prices', () => [this.#calls.family()]);
  }

  /** Counts a successful call. The first call of a model logs a warning with the command for setting its price. */
  report({ model, endpoint }: PlannedEndpoint): void {
    this.#calls.count(endpoint.listedAs ?? '');
    if (this.#warned.has(model)) return;
    this.#warned.set(model, true);
    this.#log.warn(
      `Model ${model} is not in the catalogue: its calls are billed at the highest prices of ${endpoint.listedAs}. ` +
        `Set its price: operator models price set ${model} ` +
        '--prompt-usd-per-million <usd> --completion-usd-per-million <usd>',
    );
  }
}
