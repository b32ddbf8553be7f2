import { Injectable } from '@nestjs/common';
import { HourCounts } from '../kernel/scheduling/hour-counts.js';
import type { MetricFamily, Sample } from '../telemetry/metric-family.js';
import { Metrics } from '../telemetry/metrics.js';
import { statusOfFailure } from './rest-of-failure.js';

/** Maximum number of recent response times, for the median. */
const MAX_TIMES = 101;
/** Maximum number of credentials in the metrics. */
const MAX_REPORTED = 200;

/** The results of calls with a credential, in one process or in all processes of a replica. */
export interface ChannelHealthRecord {
  readonly lastSuccessAt: Date | null;
  readonly lastError: { readonly status: number; readonly at: Date } | null;
  /** Calls in the last hour, including failed ones. */
  readonly requests: number;
  /** Failed calls in the last hour. */
  readonly errors: number;
  /** Median milliseconds until a stream started or a complete response arrived; null = no response yet. */
  readonly medianMs: number | null;
}

interface Seen {
  lastSuccessAt: Date | null;
  lastError: { status: number; at: Date } | null;
  readonly hour: HourCounts;
  readonly times: number[];
  served: number;
  failed: number;
}

/** The record of a credential that no call used. */
export const NO_CALLS: ChannelHealthRecord = {
  lastSuccessAt: null,
  lastError: null,
  requests: 0,
  errors: 0,
  medianMs: null,
};

/** The results of calls with each of the platform's credentials, in this process. */
@Injectable()
export class ChannelHealth {
  readonly #seen = new Map<string, Seen>();

  constructor(metrics: Metrics) {
    metrics.add('credentials', () => [this.#family()]);
  }

  succeeded(id: string, ms: number): void {
    const seen = this.#seenOf(id);
    seen.served++;
    seen.lastSuccessAt = new Date();
    seen.times.push(ms);
    if (seen.times.length > MAX_TIMES) seen.times.shift();
    seen.hour.count(false);
  }

  failed(id: string, error: unknown): void {
    const seen = this.#seenOf(id);
    seen.failed++;
    seen.lastError = { status: statusOfFailure(error), at: new Date() };
    seen.hour.count(true);
  }

  /** The credentials that were used in this process. */
  all(): [id: string, ChannelHealthRecord][] {
    return [...this.#seen.keys()].map((id) => [id, this.of(id)]);
  }

  of(id: string): ChannelHealthRecord {
    const seen = this.#seen.get(id);
    if (!seen) return NO_CALLS;
    const times = seen.times.toSorted((a, b) => a - b);
    return {
      lastSuccessAt: seen.lastSuccessAt,
      lastError: seen.lastError,
      ...seen.hour.sums(),
      medianMs: times.length === 0 ? null : Math.round(times[times.length >> 1]!),
    };
  }

  #seenOf(id: string): Seen {
    let seen = this.#seen.get(id);
    if (!seen) {
      seen = { lastSuccessAt: null, lastError: null, hour: new HourCounts(), times: [], served: 0, failed: 0 };
      this.#seen.set(id, seen);
    }
    return seen;
  }

  #family(): MetricFamily {
    const samples = [...this.#seen].slice(0, MAX_REPORTED).flatMap(([credential, { served, failed }]): Sample[] => [
      { labels: { credential, outcome: 'served' }, value: served },
      { labels: { credential, outcome: 'failed' }, value: failed },
    ]);
    return {
      type: 'counter',
      name: 'gatehouse_credential_requests_total',
      help: "Calls to vendors by each of the platform's credentials, by how they ended.",
      samples,
    };
  }
}
