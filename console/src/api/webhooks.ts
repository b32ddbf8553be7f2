import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { allPages } from './all-pages';
import { api, body } from './client';
import { queries } from './queries';
import { QUERY_KEYS } from './query-keys';
import type { DeliveryRecord, WebhookRecord } from './records';

const PAGE = 100;

export const ofWebhook = (id: string) => ({ params: { path: { id } } }) as const;

export const useWebhooks = (): UseQueryResult<WebhookRecord[]> =>
  useQuery({
    queryKey: QUERY_KEYS.webhooks,
    queryFn: () =>
      allPages(
        PAGE,
        async (offset) =>
          (await body(api.GET('/api/v1/webhooks', { params: { query: { offset, limit: PAGE } } }))).data,
      ),
  });

export const useWebhook = (id: string): UseQueryResult<WebhookRecord> =>
  useQuery({
    queryKey: QUERY_KEYS.webhook(id),
    queryFn: async () => (await body(api.GET('/api/v1/webhooks/{id}', ofWebhook(id)))).data,
  });

/** The newest deliveries. */
export const useDeliveries = (id: string): UseQueryResult<DeliveryRecord[]> =>
  useQuery({
    queryKey: QUERY_KEYS.deliveries(id),
    queryFn: async () => {
      const params = { path: { id }, query: { limit: PAGE } };
      return (await body(api.GET('/api/v1/webhooks/{id}/deliveries', { params }))).data;
    },
    // While a delivery is due, its state changes without an action of the user.
    refetchInterval: ({ state }) => (state.data?.some(({ status }) => status === 'pending') ? 2_000 : false),
  });

export const webhooksChanged = (): Promise<void> => queries.invalidateQueries({ queryKey: QUERY_KEYS.webhooks });
