import { Injectable } from '@nestjs/common';
import type { MetricFamily, Sample } from '../telemetry/metric-family.js';
import { Metrics } from '../telemetry/metrics.js';
import { statusOfFailure } from './status-of-failure.js';

const MINUTE_MS = 60_000;
const MINUTES = 60;
/** Times of the last responses, for the median. */
const MAX_TIMES = 101;
/** Credentials in the metrics. */
const MAX_REPORTED = 200;

/** What this process has seen of a credential. */
export interface ChannelHealthRecord {
  readonly lastSuccessAt: Date | null;
  readonly lastError: { readonly status: number; readonly at: Date } | null;
  /** In the last hour. */
  readonly requests: number;
  readonly errors: number;
  /** The median time to the first byte of the last responses; null = none yet. */
  readonly medianMs: number | null;
}

interface Minute {
  readonly no: number;
  requests: number;
  errors: number;
}

interface Seen {
  lastSuccessAt: Date | null;
  lastError: { status: number; at: Date } | null;
  readonly minutes: Minute[];
  readonly times: number[];
  served: number;
  failed: number;
}

const NOTHING: ChannelHealthRecord = { lastSuccessAt: null, lastError: null, requests: 0, errors: 0, medianMs: null };

/** How the calls of each of the platform's credentials ended, in this process. */
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
    minuteOf(seen).requests++;
  }

  failed(id: string, error: unknown): void {
    const seen = this.#seenOf(id);
    seen.failed++;
    seen.lastError = { status: statusOfFailure(error), at: new Date() };
    const minute = minuteOf(seen);
    minute.requests++;
    minute.errors++;
  }

  of(id: string): ChannelHealthRecord {
    const seen = this.#seen.get(id);
    if (!seen) return NOTHING;
    const since = Math.floor(Date.now() / MINUTE_MS) - MINUTES;
    const minutes = seen.minutes.filter(({ no }) => no > since);
    const times = seen.times.toSorted((a, b) => a - b);
    return {
      lastSuccessAt: seen.lastSuccessAt,
      lastError: seen.lastError,
      requests: minutes.reduce((sum, { requests }) => sum + requests, 0),
      errors: minutes.reduce((sum, { errors }) => sum + errors, 0),
      medianMs: times.length === 0 ? null : Math.round(times[times.length >> 1]!),
    };
  }

  #seenOf(id: string): Seen {
    let seen = this.#seen.get(id);
    if (!seen) {
      seen = { lastSuccessAt: null, lastError: null, minutes: [], times: [], served: 0, failed: 0 };
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

function minuteOf({ minutes }: Seen): Minute {
  const no = Math.floor(Date.now() / MINUTE_MS);
  const last = minutes.at(-1);
  if (last?.no === no) return last;
  const minute = { no, requests: 0, errors: 0 };
  minutes.push(minute);
  if (minutes.length > MINUTES) minutes.shift();
  return minute;
}
