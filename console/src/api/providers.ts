import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { api, body } from './client';
import { QUERY_KEYS } from './query-keys';
import type { components } from './schema';

type ProviderRecord = components['schemas']['ProviderRecord'];

/** The providers of the catalogue. */
export const useProviders = (): UseQueryResult<ProviderRecord[]> =>
  useQuery({
    queryKey: QUERY_KEYS.providers,
    queryFn: async () => (await body(api.GET('/api/v1/providers'))).data,
    staleTime: Infinity,
  });

/** The name of a provider by its slug. Until the names are loaded, it is the slug. */
export function useProviderNames(): (slug: string) => string {
  const { data } = useProviders();
  return (slug) => data?.find((provider) => provider.slug === slug)?.name ?? slug;
}
