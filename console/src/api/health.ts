import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { orNull } from './channels';
import { api, body } from './client';
import { QUERY_KEYS } from './query-keys';
import type { HealthRecord } from './records';

/**
 * The health of the replica that responds; null for accounts other than the operator's. A button in the header reads it
 * again.
 */
export const useHealth = (): UseQueryResult<HealthRecord | null> =>
  useQuery({
    queryKey: QUERY_KEYS.health,
    queryFn: () => orNull(body(api.GET('/api/v1/health')).then(({ data }) => data)),
  });
