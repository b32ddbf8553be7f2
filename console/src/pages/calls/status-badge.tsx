import { Badge } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '../../text/translate';

const FIRST_ERROR_STATUS = 400;

export const isError = (status: number): boolean => status >= FIRST_ERROR_STATUS;

/** The HTTP status as a badge. */
export function StatusBadge({ status }: { readonly status: number }): ReactNode {
  return (
    <Badge color={isError(status) ? 'red' : 'green'} variant="outline">
      {isError(status) ? t('Error {status}', { status }) : t('OK {status}', { status })}
    </Badge>
  );
}
