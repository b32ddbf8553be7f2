import type { ChannelHealthRecord } from '../channels/channel-health.js';
import type { EndpointReport } from './routing/breaker-states.js';

/** An endpoint of a report, reduced to its names in the catalogue. */
export interface ReportedEndpoint extends Omit<EndpointReport, 'endpoint'> {
  readonly provider: string;
  readonly providerName: string;
  /** The vendor's name of the model; for a model outside the catalogue, the name of its family. */
  readonly model: string;
  readonly capability: string;
}

/** The reports of all processes of a replica on one endpoint, merged. `state`: the worst of their states. */
export interface MergedEndpoint extends ReportedEndpoint {
  /** The number of processes whose breaker is not closed. */
  readonly openIn: number;
  /** When a process first calls the endpoint again, in Unix milliseconds; null = all breakers are closed. */
  readonly nextTryAt: number | null;
}

/** The endpoints of all processes, worst state first. Numbers of calls are added. */
export function mergedEndpoints(reports: readonly ReportedEndpoint[], pauseMs: number): MergedEndpoint[] {
  const named = reports.map((report) => {
    const nextTryAt = report.openedAt === null ? null : report.openedAt + pauseMs;
    return [report.name, { ...report, openIn: report.state === 'closed' ? 0 : 1, nextTryAt }] as const;
  });
  return [...merged(named, bothEndpoints).values()].sort(worstFirst);
}

function merged<T>(entries: readonly (readonly [name: string, T])[], both: (a: T, b: T) => T): Map<string, T> {
  const byName = Map.groupBy(entries, ([name]) => name);
  return new Map(Array.from(byName, ([name, group]) => [name, group.map(([, one]) => one).reduce(both)]));
}

function bothEndpoints(a: MergedEndpoint, b: MergedEndpoint): MergedEndpoint {
  const [worse] = [a, b].sort(worstFirst);
  return {
    ...worse!,
    openIn: a.openIn + b.openIn,
    openedAt: least(a.openedAt, b.openedAt),
    nextTryAt: least(a.nextTryAt, b.nextTryAt),
    requests: a.requests + b.requests,
    errors: a.errors + b.errors,
    lastSuccessAt: greatest(a.lastSuccessAt, b.lastSuccessAt),
    lastFailure: newest(a.lastFailure, b.lastFailure),
  };
}

/**
 * Merges the health of each credential over all processes. Medians cannot be merged, so the result has the median of
 * the process with the most calls.
 */
export const mergedChannels = (
  records: readonly (readonly [id: string, ChannelHealthRecord])[],
): ReadonlyMap<string, ChannelHealthRecord> =>
  merged(
    records.toSorted(([, a], [, b]) => b.requests - a.requests),
    bothChannels,
  );

/** `a`: the record of the process with more calls, or the merged records of several processes. */
const bothChannels = (a: ChannelHealthRecord, b: ChannelHealthRecord): ChannelHealthRecord => ({
  lastSuccessAt: greatest(a.lastSuccessAt, b.lastSuccessAt),
  lastError: newest(a.lastError, b.lastError),
  requests: a.requests + b.requests,
  errors: a.errors + b.errors,
  medianMs: a.medianMs,
});

const least = (a: number | null, b: number | null): number | null => (a === null || (b !== null && b < a) ? b : a);

const greatest = <T extends number | Date>(a: T | null, b: T | null): T | null =>
  a === null || (b !== null && b > a) ? b : a;

const newest = <T extends { readonly at: number | Date }>(a: T | null, b: T | null): T | null =>
  a === null || (b !== null && b.at > a.at) ? b : a;

const RANK = { open: 0, half_open: 1, closed: 2 } as const;

/**
 * Sorts by state (open, half open, closed), then by the number of errors, then by the number of calls, highest first.
 */
export const worstFirst = (
  a: Pick<ReportedEndpoint, 'state' | 'errors' | 'requests'>,
  b: Pick<ReportedEndpoint, 'state' | 'errors' | 'requests'>,
): number => RANK[a.state] - RANK[b.state] || b.errors - a.errors || b.requests - a.requests;
