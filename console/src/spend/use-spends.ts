import { useQuery } from '@tanstack/react-query';
import { analytics, inWorkspace, numberOf } from '../api/analytics';
import { useScope } from '../scope/use-scope';

const MAX_GROUPS = 10_000;

export interface GroupSpend {
  readonly spend: number;
  readonly requests: number;
}

export interface Spends {
  /** Whether the spends are loading. Until they are loaded, all spends are zero. */
  readonly isPending: boolean;
  readonly of: (id: string) => GroupSpend;
}

/** The spend of each group in the time range of the header, by its id. */
export function useSpends(dimension: 'user' | 'workspace' | 'external_user', isAllowed: boolean): Spends {
  const { workspace, time } = useScope();
  const query = analytics({
    metrics: ['credits_usage', 'request_count'],
    dimensions: [dimension],
    filters: inWorkspace(workspace),
    limit: MAX_GROUPS,
    time_range: time,
  });
  const { data, isPending } = useQuery({ ...query, enabled: isAllowed });
  const spends = new Map(
    (data?.rows ?? []).map((row) => [
      String(row[dimension]),
      { spend: numberOf(row, 'credits_usage'), requests: numberOf(row, 'request_count') },
    ]),
  );
  return { isPending: isAllowed && isPending, of: (id) => spends.get(id) ?? { spend: 0, requests: 0 } };
}
