import { queryOptions } from '@tanstack/react-query';
import { api, body } from './client';
import { QUERY_KEYS } from './query-keys';

/** The amounts granted and spent. */
export const credits = queryOptions({
  queryKey: QUERY_KEYS.credits,
  queryFn: async () => (await body(api.GET('/api/v1/credits'))).data,
});
