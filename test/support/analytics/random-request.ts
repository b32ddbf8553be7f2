import type { AnalyticsRequest } from '../../../src/usage/analytics-query.js';
import { DIMENSIONS, METRICS, type Dimension, type Metric } from '../../../src/usage/analytics-vocabulary.js';
import type { RandomNumbers } from '../random-numbers.js';
import {
  APPS,
  END_USERS,
  FINISH_REASONS,
  MODELS,
  ORIGINS,
  PROVIDERS,
  STATUSES,
  type UsageSample,
} from './usage-sample.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const OFFSETS = ['Z', '+00:00', '-05:00', '+05:45', '+14:00', '-11:30'];

/** A random valid request. */
export function randomRequest(random: RandomNumbers, sample: UsageSample): AnalyticsRequest {
  const metrics = random.some(Object.keys(METRICS) as Metric[], random.pick([1, 1, 2, 3, 24]));
  const dimensions = random.some(Object.keys(DIMENSIONS) as Dimension[], random.pick([0, 1, 1, 2, 2]));
  const granularity = random.pick([undefined, undefined, 'minute', 'hour', 'day', 'week', 'month']);
  const longest = random.pick([3 * HOUR_MS, 31 * DAY_MS, 365 * DAY_MS, 500 * DAY_MS]);
  const isDefaultRange = random.chance(0.2);
  const orderable = [...metrics, ...dimensions, 'request_count', ...(granularity ? ['date'] : [])];
  return {
    metrics,
    ...(dimensions.length > 0 || random.chance(0.5) ? { dimensions } : {}),
    ...(random.chance(0.6)
      ? { filters: Array.from({ length: random.pick([1, 1, 2, 3, 20]) }, () => randomFilter(random, sample)) }
      : {}),
    ...(granularity ? { granularity } : {}),
    ...(isDefaultRange ? {} : { time_range: randomRange(random, sample.now.getTime(), longest) }),
    ...(random.chance(0.3) ? { limit: random.pick([1, 2, 10, 100, 10_000, 1e300]) } : {}),
    ...(random.chance(0.25) ? { group_limit: random.pick([1, 2, 5, 10_000, 1e300]) } : {}),
    ...(random.chance(0.5)
      ? { order_by: { field: random.pick(orderable), direction: random.pick(['asc', 'desc'] as const) } }
      : {}),
  };
}

function randomRange(random: RandomNumbers, now: number, longest: number): { start: string; end: string } {
  if (random.chance(0.05))
    return { start: '0000-01-01', end: random.pick(['9999-12-31T23:59:59-23:59', '2026-03-01']) };
  const span = random.chance(0.2) ? longest : random.int(1, longest);
  const end = now - Math.floor(random.next() * random.pick([0, 0.1, 1, 40, 60]) * DAY_MS) + random.pick([0, 0, DAY_MS]);
  const snap = random.pick([1, MINUTE_MS, HOUR_MS, DAY_MS]);
  const from = Math.ceil((end - span) / snap) * snap;
  const to = random.chance(0.5) ? Math.floor(end / snap) * snap : end;
  return { start: written(random, from), end: written(random, Math.max(from + 1, Math.min(to, from + longest))) };
}

/** The same time with a random zone, or without a zone. */
function written(random: RandomNumbers, at: number): string {
  const text = new Date(at).toISOString();
  if (random.chance(0.2)) return at % DAY_MS === 0 ? text.slice(0, 10) : text.slice(0, -1);
  const offset = random.pick(OFFSETS);
  const [hours, minutes] = offset === 'Z' ? [0, 0] : [Number(offset.slice(1, 3)), Number(offset.slice(4))];
  const local = at + (offset.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000;
  return new Date(local).toISOString().replace('Z', offset);
}

function randomFilter(random: RandomNumbers, sample: UsageSample): NonNullable<AnalyticsRequest['filters']>[number] {
  const field = random.pick(Object.keys(DIMENSIONS) as Dimension[]);
  const operator = random.pick(['eq', 'neq', 'in', 'in', 'not_in', 'not_in', 'gt', 'gte', 'lt', 'lte'] as const);
  if (operator !== 'in' && operator !== 'not_in') return { field, operator, value: randomValue(random, field, sample) };
  const value = Array.from({ length: random.int(0, 8) }, () => randomValue(random, field, sample));
  return { field, operator, value, ...(random.chance(0.5) ? { include_unset: random.chance(0.7) } : {}) };
}

/**
 * A value of the field, or one that no call has. Hashes always belong to a key, because unknown hashes have their own
 * rule.
 */
function randomValue(random: RandomNumbers, field: Dimension, sample: UsageSample): string | number {
  const account = sample.accounts[0]!;
  const call = random.pick(sample.calls);
  const texts: Partial<Record<Dimension, readonly (string | number | null)[]>> = {
    model: MODELS,
    variant: ['free', 'nitro', 'standard', 'none'],
    api_key_id: account.keys.map(({ hash }) => hash),
    user: account.keys.map(({ user }) => user),
    workspace: account.workspaces.map(({ id }) => id),
    app: APPS,
    modality: ['image', 'speech', 'chat', 'embeddings'],
    status: [...STATUSES, '404', 500],
    generation_id: [`gen-${call.id}`],
    provider: PROVIDERS,
    origin: ORIGINS,
    country: ['SE', 'TR'],
    finish_reason: FINISH_REASONS,
    external_user: END_USERS,
    context_length_bucket: ['0-1k', '1k-8k', '8k-32k', '32k-128k', '128k-1m', '1m+'],
  };
  return random.pick(texts[field] ?? []) ?? 'unheard of';
}
