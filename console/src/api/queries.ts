import { QueryClient } from '@tanstack/react-query';
import { ApiFault } from './api-fault';

const MAX_RETRIES = 2;

export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      // Only a failure that may pass is tried again.
      retry: (count, error) => count < MAX_RETRIES && (!(error instanceof ApiFault) || error.isTransient),
    },
  },
});
