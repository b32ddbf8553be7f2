import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useCallback } from 'react';

export interface CursorPage<T> {
  readonly data: readonly T[];
  readonly next_cursor: string | null;
}

export interface CursorList<T> {
  readonly rows: readonly T[];
  readonly isPending: boolean;
  /** Whether the rows are from the previous query, while the new one is loading. */
  readonly isOutdated: boolean;
  readonly error: Error | null;
  readonly retry: () => void;
  /** Loads the next page if there is one. */
  readonly more: () => void;
  readonly isLoadingMore: boolean;
}

/** A list that the API returns page by page. `read` gets the cursor of a page. */
export function useCursorList<T>(
  queryKey: readonly unknown[],
  read: (cursor: string | undefined) => Promise<CursorPage<T>>,
): CursorList<T> {
  const list = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) => read(pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    placeholderData: keepPreviousData,
  });
  const { fetchNextPage, hasNextPage, isFetchingNextPage } = list;
  const more = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [fetchNextPage, hasNextPage, isFetchingNextPage]);
  return {
    rows: (list.data?.pages ?? []).flatMap(({ data }) => data),
    isPending: list.isPending,
    isOutdated: list.isPlaceholderData,
    error: list.error,
    retry: () => void list.refetch(),
    more,
    isLoadingMore: isFetchingNextPage,
  };
}
