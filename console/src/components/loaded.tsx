import { Box, Skeleton, Stack } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { FaultAlert } from './fault-alert';

interface LoadedProps<T> {
  readonly query: UseQueryResult<T>;
  /** In the shape of what comes; absent = three lines. */
  readonly placeholder?: ReactNode;
  readonly children: (data: T) => ReactNode;
}

/**
 * The three states of a query: a placeholder, the error, or its data. A failed refetch leaves the data, which may hold
 * a form that is being filled in, below the error.
 */
export function Loaded<T>({ query, placeholder, children }: LoadedProps<T>): ReactNode {
  if (query.isPending)
    return (
      placeholder ?? (
        <Stack gap="xs" role="status" aria-label="Loading">
          <Skeleton h={32} />
          <Skeleton h={32} />
          <Skeleton h={32} />
        </Stack>
      )
    );
  const fault = query.isError && <FaultAlert error={query.error} onRetry={() => void query.refetch()} />;
  if (query.data === undefined) return fault;
  return (
    <>
      {fault && <Box mb="sm">{fault}</Box>}
      {children(query.data)}
    </>
  );
}
