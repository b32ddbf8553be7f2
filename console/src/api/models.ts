import { queryOptions } from '@tanstack/react-query';
import { QUERY_KEYS } from './query-keys';
import type { ModelFilters } from '../pages/models/model-filters';
import { api, body } from './client';
import type { ModelRecord } from './records';
import type { components } from './schema';

/** The path parameters of a model, whose id is `author/slug`. */
export function modelPath(id: string): { author: string; slug: string } {
  const [author = '', ...rest] = id.split('/');
  return { author, slug: rest.join('/') };
}

export const endpointsOf = (id: string) =>
  queryOptions({
    queryKey: QUERY_KEYS.endpoints(id),
    queryFn: async (): Promise<components['schemas']['ModelEndpoints']> =>
      (await body(api.GET('/api/v1/models/{author}/{slug}/endpoints', { params: { path: modelPath(id) } }))).data,
    staleTime: 60_000,
  });

/** Models of all modalities, unless the filters name some. */
export const modelsBy = (filters: ModelFilters) =>
  queryOptions({
    queryKey: QUERY_KEYS.models(filters),
    queryFn: async (): Promise<ModelRecord[]> => {
      const found = await body(
        api.GET('/api/v1/models', { params: { query: { output_modalities: 'all', ...filters } } }),
      );
      // The other response formats are for feed readers and for clients of /messages.
      return typeof found === 'string' || 'has_more' in found ? [] : found.data;
    },
    staleTime: 60_000,
    placeholderData: (before) => before,
  });

/** The models that the session can call now. */
export const callableModels = queryOptions({
  queryKey: QUERY_KEYS.callableModels,
  queryFn: async () => (await body(api.GET('/api/v1/models/user'))).data,
  staleTime: 30_000,
});
