import { QueryClient, type InvalidateOptions, type InvalidateQueryFilters, type QueryKey } from '@tanstack/react-query';
import { ApiFault } from './api-fault';

const MAX_RETRIES = 2;

/**
 * After a change, a fetch in progress is cancelled and started again, because it may have started before the change.
 * QueryClient does so only for queries with data: it does not cancel a first fetch, whose response may have the old
 * state.
 */
class FreshQueryClient extends QueryClient {
  override async invalidateQueries<Key extends QueryKey = QueryKey>(
    filters?: InvalidateQueryFilters<Key>,
    options: InvalidateOptions = {},
  ): Promise<void> {
    if (options.cancelRefetch !== false) await this.cancelQueries(filters);
    return super.invalidateQueries(filters, options);
  }
}

export const queries = new FreshQueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      // Only failures that may be temporary are retried.
      retry: (count, error) => count < MAX_RETRIES && (!(error instanceof ApiFault) || error.isTransient),
    },
  },
});
