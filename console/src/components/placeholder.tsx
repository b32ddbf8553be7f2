import { Skeleton, type SkeletonProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '../text/translate';

/** Shown while content is loading, with the size of the content. */
export function Placeholder(size: Pick<SkeletonProps, 'h' | 'w'>): ReactNode {
  return <Skeleton {...size} role="status" aria-label={t('Loading')} />;
}
