import { Box, Skeleton, Stack } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { mayBeTemporary } from '../api/api-fault';
import { ReadFault } from './fault-alert';
import { t } from '../text/translate';

interface LoadedProps<T> {
  readonly query: UseQueryResult<T>;
  /** A placeholder with the shape of the content; absent = three lines. */
  readonly placeholder?: ReactNode;
  readonly children: (data: T) => ReactNode;
}

/**
 * The three states of a query: a placeholder, the error, or its data. A failed refetch keeps the data, which may
 * contain a form that is being filled in.
 */
export function Loaded<T>({ query, placeholder, children }: LoadedProps<T>): ReactNode {
  if (query.isPending)
    return (
      placeholder ?? (
        <Stack gap="xs" role="status" aria-label={t('Loading')}>
          <Skeleton h={32} />
          <Skeleton h={32} />
          <Skeleton h={32} />
        </Stack>
      )
    );
  const fault = query.isError && <ReadFault error={query.error} onRetry={() => void query.refetch()} />;
  if (query.data === undefined) return fault;
  return (
    <>
      {fault && !mayBeTemporary(query.error) && <Box mb="sm">{fault}</Box>}
      {children(query.data)}
    </>
  );
}
