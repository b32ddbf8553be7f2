import { CHANNEL_STATES } from '../../channels/channel-states.js';
import { VERSION } from '../../config/version.js';
import { MAX_COUNTED } from '../../events/delivery-queue.js';
import type { ListedChannel } from '../../inference/listed-channels.js';
import type { ServiceProcess } from '../../inference/process-health.js';
import type { ChannelHealthEntry, EndpointHealthRecord } from './dto/called.response.dto.js';
import { MAX_LISTED, type HealthRecord, type ProcessHealthRecord } from './dto/health.response.dto.js';
import type { ReplicaHealth } from './health.service.js';
import type { MergedEndpoint } from '../../inference/merged-health.js';

export function toHealthRecord(health: ReplicaHealth, now: Date): HealthRecord {
  const { analytics, replicas, webhooks, channels, endpoints } = health;
  return {
    as_of: now.toISOString(),
    version: VERSION,
    node_version: process.version,
    replica_id: health.replicaId,
    replicas:
      replicas &&
      replicas.map(({ id, startedAt, opensSecrets }) => ({
        id,
        started_at: startedAt.toISOString(),
        opens_secrets: opensSecrets,
      })),
    processes: health.processes.map(toProcess),
    checks: health.checks.map(({ name, fault, ms }) => ({
      name,
      ok: fault === undefined,
      fault: fault ?? null,
      latency_ms: ms,
    })),
    analytics: {
      store: analytics.store,
      phase: analytics.phase,
      lag_seconds: analytics.lagMs === undefined ? null : Math.round(analytics.lagMs) / 1000,
    },
    webhooks: webhooks && {
      pending: Math.min(webhooks.pending, MAX_COUNTED),
      has_more: webhooks.pending > MAX_COUNTED,
      oldest_at: timeOf(webhooks.oldestAt),
      failing: webhooks.failing,
      disabled: webhooks.disabled,
    },
    endpoints: endpoints.slice(0, MAX_LISTED).map(toEndpoint),
    endpoints_total: endpoints.length,
    channels: channels && channels.map(toChannel).sort(worstFirst).slice(0, MAX_LISTED),
    channels_total: channels && channels.length,
  };
}

const toProcess = ({ name, startedAt, health }: ServiceProcess): ProcessHealthRecord => ({
  name,
  responds: startedAt !== null && health !== null,
  started_at: timeOf(startedAt),
  open_calls: health?.openCalls ?? null,
  refused_1h: health?.refusals ?? null,
});

function toEndpoint(endpoint: MergedEndpoint): EndpointHealthRecord {
  const { requests, errors } = endpoint;
  return {
    provider: endpoint.provider,
    provider_name: endpoint.providerName,
    model: endpoint.model,
    capability: endpoint.capability,
    base_url: endpoint.address,
    state: endpoint.state,
    open_in: endpoint.openIn,
    opened_at: timeOf(endpoint.openedAt),
    next_try_at: timeOf(endpoint.nextTryAt),
    last_success_at: timeOf(endpoint.lastSuccessAt),
    last_failure: toFailure(endpoint.lastFailure),
    requests_1h: requests,
    errors_1h: errors,
    uptime_1h: requests === 0 ? null : percent(requests - errors, requests),
  };
}

/** Two decimals, rounded down, so that 100 means no failures. */
const percent = (part: number, whole: number): number => Math.floor((part * 10_000) / whole) / 100;

const toChannel = ({ id, provider, name, label, report }: ListedChannel): ChannelHealthEntry => ({
  id,
  provider,
  name,
  label,
  state: report.state,
  resting_until: timeOf(report.restingUntil),
  last_success_at: timeOf(report.lastSuccessAt),
  last_error: toFailure(report.lastError),
  requests_1h: report.requests,
  errors_1h: report.errors,
});

/** The sort order. Disabled credentials are last, because they were disabled on purpose. */
const ORDER: readonly (typeof CHANNEL_STATES)[number][] = ['refused', 'exhausted', 'resting', 'ready', 'disabled'];

const worstFirst = (a: ChannelHealthEntry, b: ChannelHealthEntry): number =>
  ORDER.indexOf(a.state) - ORDER.indexOf(b.state) || b.errors_1h - a.errors_1h || b.requests_1h - a.requests_1h;

const timeOf = (time: Date | number | null): string | null => (time === null ? null : new Date(time).toISOString());

const toFailure = (
  failure: { readonly status: number; readonly at: Date | number } | null,
): { status: number; at: string } | null =>
  failure && { status: failure.status, at: new Date(failure.at).toISOString() };
