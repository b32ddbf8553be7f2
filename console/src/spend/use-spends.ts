import { useQuery } from '@tanstack/react-query';
import { analytics, inWorkspace, numberOf } from '../api/analytics';
import { useScope } from '../scope/use-scope';

const MAX_GROUPS = 10_000;

export interface GroupSpend {
  readonly spend: number;
  readonly requests: number;
}

/** What each group spent in the time of the header, by its id. */
export function useSpends(
  dimension: 'user' | 'workspace' | 'external_user',
  isAllowed: boolean,
): (id: string) => GroupSpend {
  const { workspace, time } = useScope();
  const query = analytics({
    metrics: ['credits_usage', 'request_count'],
    dimensions: [dimension],
    filters: inWorkspace(workspace),
    limit: MAX_GROUPS,
    time_range: time,
  });
  const { data } = useQuery({ ...query, enabled: isAllowed });
  const spends = new Map(
    (data?.rows ?? []).map((row) => [
      String(row[dimension]),
      { spend: numberOf(row, 'credits_usage'), requests: numberOf(row, 'request_count') },
    ]),
  );
  return (id) => spends.get(id) ?? { spend: 0, requests: 0 };
}
