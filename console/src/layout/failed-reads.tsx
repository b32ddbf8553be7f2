import { Box } from '@mantine/core';
import { notifyManager, type Query } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore, type ReactNode } from 'react';
import { hasNoResponse, mayBeTemporary } from '../api/api-fault';
import { queries } from '../api/queries';
import { FaultAlert } from '../components/fault-alert';

const AGAIN_MS = 10_000;

/**
 * The reason of a failed read that may succeed later. If no response arrives, the failure is reported before the last
 * retry.
 */
function failureOf({ state: { status, error, fetchFailureReason } }: Query): Error | null {
  if (status === 'error' && mayBeTemporary(error)) return error;
  return hasNoResponse(fetchFailureReason) ? fetchFailureReason : null;
}

const hasFailed = (query: Query): boolean => query.isActive() && failureOf(query) !== null;

const subscribe = (onChange: () => void): (() => void) =>
  queries.getQueryCache().subscribe(notifyManager.batchCalls(onChange));

function firstFailure(): Error | null {
  const query = queries.getQueryCache().getAll().find(hasFailed);
  return query ? failureOf(query) : null;
}

/** Retries the failed reads. Does not restart a read in progress. */
const readAgain = (): void =>
  void queries.refetchQueries({ type: 'active', predicate: hasFailed }, { cancelRefetch: false });

interface FailedReadsProps {
  readonly children: ReactNode;
}

/**
 * Reports once that reads of the page failed for a temporary reason, and retries automatically. The content of the page
 * is dimmed while the service is unavailable.
 */
export function FailedReads({ children }: FailedReadsProps): ReactNode {
  const failure = useSyncExternalStore(subscribe, firstFailure);
  const isFailing = failure !== null;
  useEffect(() => {
    if (!isFailing) return undefined;
    const timer = setInterval(readAgain, AGAIN_MS);
    return () => clearInterval(timer);
  }, [isFailing]);
  return (
    <>
      {failure && (
        <Box mb="md">
          <FaultAlert error={failure} onRetry={readAgain} />
        </Box>
      )}
      <div data-old={hasNoResponse(failure) || undefined}>{children}</div>
    </>
  );
}
