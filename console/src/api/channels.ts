import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { allPages } from './all-pages';
import { ApiFault } from './api-fault';
import { api, body } from './client';
import { queries } from './queries';
import { QUERY_KEYS } from './query-keys';
import type { ChannelModels, ChannelRecord } from './records';
import { useMay } from './session';

const PAGE = 100;
const POLL_MS = 10_000;

export const ofChannel = (id: string) => ({ params: { path: { id } } }) as const;

const pageOf = async (offset: number, limit: number): Promise<ChannelRecord[]> =>
  (await body(api.GET('/api/v1/providers/credentials', { params: { query: { offset, limit } } }))).data;

/** Null if the operations do not exist, because the account is not the operator's. */
export async function orNull<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof ApiFault && error.status === 404) return null;
    throw error;
  }
}

/**
 * The channels by provider, in the order of use; null for accounts other than the operator's. Polled, because their
 * states change without an action of the user.
 */
export const useChannels = (): UseQueryResult<ChannelRecord[] | null> =>
  useQuery({
    queryKey: QUERY_KEYS.channels,
    queryFn: () => orNull(allPages(PAGE, (offset) => pageOf(offset, PAGE))),
    refetchInterval: POLL_MS,
  });

/**
 * Whether the session manages the platform's channels. Until the response arrives, true is assumed for members who may
 * read channels. Otherwise the operator's entries in the navigation would appear late.
 */
export function useIsOperator(): boolean {
  const mayRead = useMay('channels.read');
  const { data } = useQuery({
    queryKey: QUERY_KEYS.isOperator,
    queryFn: async () => (await orNull(pageOf(0, 1))) !== null,
    enabled: mayRead,
    staleTime: Infinity,
  });
  return mayRead && (data ?? true);
}

/** The models that the vendor lists for a channel. The query calls the vendor each time the component is shown. */
export const useChannelModels = (id: string): UseQueryResult<ChannelModels> =>
  useQuery({
    queryKey: QUERY_KEYS.channelModels(id),
    queryFn: () => body(api.POST('/api/v1/providers/credentials/{id}/discover', ofChannel(id))),
    staleTime: 0,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
  });

export async function channelsChanged(): Promise<void> {
  await queries.invalidateQueries({ queryKey: QUERY_KEYS.channels });
  // Models of the provider may have become callable, or may no longer be callable.
  await queries.invalidateQueries({ queryKey: QUERY_KEYS.callableModels });
}
