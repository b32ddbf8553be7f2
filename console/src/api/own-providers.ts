import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { allPages } from './all-pages';
import { ofChannel, orNull } from './channels';
import { api, body } from './client';
import { queries } from './queries';
import { QUERY_KEYS } from './query-keys';
import type { DiscoveredModels, ModelAlias, OwnModel, OwnModelRequest, OwnProvider } from './records';
import { t } from '../text/translate';

const PAGE = 100;

const ofProvider = (slug: string) => ({ params: { path: { slug } } }) as const;
const ofModel = (slug: string, id: string) => ({ params: { path: { slug, id } } }) as const;

/** The own providers, sorted by slug; null for accounts other than the operator's. */
export const useOwnProviders = (): UseQueryResult<OwnProvider[] | null> =>
  useQuery({
    queryKey: QUERY_KEYS.ownProviders,
    queryFn: () =>
      orNull(
        allPages(PAGE, async (offset) => {
          const query = { offset, limit: PAGE };
          return (await body(api.GET('/api/v1/providers/own', { params: { query } }))).data;
        }),
      ),
  });

export const useOwnModels = (slug: string): UseQueryResult<OwnModel[]> =>
  useQuery({
    queryKey: QUERY_KEYS.ownModels(slug),
    queryFn: () =>
      allPages(PAGE, async (offset) => {
        const params = { path: { slug }, query: { offset, limit: PAGE } };
        return (await body(api.GET('/api/v1/providers/{slug}/models', { params }))).data;
      }),
  });

/** Newest first. */
export const useOwnModelVersions = (slug: string, id: string): UseQueryResult<OwnModel[]> =>
  useQuery({
    queryKey: QUERY_KEYS.ownModelVersions(`${slug}/${id}`),
    queryFn: () =>
      allPages(PAGE, async (offset) => {
        const params = { path: { slug, id }, query: { offset, limit: PAGE } };
        return (await body(api.GET('/api/v1/providers/{slug}/models/{id}/versions', { params }))).data;
      }),
    staleTime: 0,
  });

/** The current version of the model. Fails if the model was deleted. */
export async function presentOwnModel(slug: string, id: string): Promise<OwnModel> {
  const params = { path: { slug, id }, query: { limit: 1 } };
  const { data } = await body(api.GET('/api/v1/providers/{slug}/models/{id}/versions', { params }));
  if (!data[0]) throw new Error(t('The model was deleted meanwhile'));
  return data[0];
}

/** The models that the provider lists. The query calls the provider each time the component is shown. */
export const useFoundModels = (slug: string, channel: string | undefined): UseQueryResult<DiscoveredModels> =>
  useQuery({
    queryKey: QUERY_KEYS.foundModels(slug),
    queryFn: (): Promise<DiscoveredModels> =>
      channel === undefined
        ? body(api.POST('/api/v1/providers/{slug}/discover', ofProvider(slug)))
        : body(api.POST('/api/v1/providers/credentials/{id}/discover', ofChannel(channel))),
    staleTime: 0,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
  });

/** Fetches the own providers, and the models, providers and prices of the catalogue, again where they are shown. */
export async function ownModelsChanged(): Promise<void> {
  await queries.invalidateQueries({ queryKey: QUERY_KEYS.ownProviders });
  await catalogueChanged();
}

async function catalogueChanged(): Promise<void> {
  const changed = [QUERY_KEYS.providers, QUERY_KEYS.callableModels, ['models'], ['endpoints']];
  await Promise.all(changed.map((queryKey) => queries.invalidateQueries({ queryKey })));
}

export const setOwnModel = (slug: string, id: string, request: OwnModelRequest): Promise<unknown> =>
  api.PUT('/api/v1/providers/{slug}/models/{id}', { ...ofModel(slug, id), body: request });

export async function deleteOwnModel(slug: string, id: string): Promise<void> {
  await api.DELETE('/api/v1/providers/{slug}/models/{id}', ofModel(slug, id));
  await ownModelsChanged();
}

export async function deleteOwnProvider(slug: string): Promise<void> {
  await api.DELETE('/api/v1/providers/{slug}', ofProvider(slug));
  // `exact` excludes the lists of models, because the list of the deleted provider would return 404.
  await queries.invalidateQueries({ queryKey: QUERY_KEYS.ownProviders, exact: true });
  await catalogueChanged();
}

export const updateOwnProvider = (
  slug: string,
  change: { readonly name?: string | null; readonly base_url?: string; readonly privacy?: object },
): Promise<unknown> => api.PATCH('/api/v1/providers/{slug}', { ...ofProvider(slug), body: change });

export const useModelAliases = (): UseQueryResult<ModelAlias[]> =>
  useQuery({
    queryKey: QUERY_KEYS.modelAliases,
    queryFn: () =>
      allPages(PAGE, async (offset) => {
        const query = { offset, limit: PAGE };
        return (await body(api.GET('/api/v1/models/aliases', { params: { query } }))).data;
      }),
  });

const aliasesChanged = (): Promise<void> => queries.invalidateQueries({ queryKey: QUERY_KEYS.modelAliases });

export async function setModelAlias(name: string, models: readonly string[]): Promise<void> {
  await api.PUT('/api/v1/models/aliases/{name}', { params: { path: { name } }, body: { models: [...models] } });
  await aliasesChanged();
}

export async function deleteModelAlias(name: string): Promise<void> {
  await api.DELETE('/api/v1/models/aliases/{name}', { params: { path: { name } } });
  await aliasesChanged();
}
