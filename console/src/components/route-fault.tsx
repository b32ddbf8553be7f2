import type { ErrorComponentProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { FaultAlert } from './fault-alert';

/** Shown in place of a page that failed, such as a page whose script a newer version of the console replaced. */
export function RouteFault({ error }: ErrorComponentProps): ReactNode {
  return (
    <FaultAlert
      error={error instanceof Error ? error : new Error(String(error))}
      onRetry={() => window.location.reload()}
    />
  );
}
