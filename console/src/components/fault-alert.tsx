import { Alert, Button, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { ApiFault } from '../api/api-fault';

/** What went wrong, what can be done about it, and the id that an operator needs. */
export function FaultAlert({ error, onRetry }: { readonly error: Error; readonly onRetry?: () => void }): ReactNode {
  const fault = error instanceof ApiFault ? error : undefined;
  const advice = fault ? fault.advice : 'Check that the service runs and can be reached, then try again.';
  return (
    <Alert color="red" variant="outline" role="alert" title={fault ? `Error ${fault.status}` : 'Error'}>
      <Text size="sm" className="wrap">
        {error.message}
      </Text>
      {advice && (
        <Text size="sm" mt={4}>
          {advice}
        </Text>
      )}
      <Group mt={onRetry || fault?.requestId ? 'xs' : 0} gap="sm">
        {onRetry && (
          <Button size="xs" variant="default" onClick={onRetry}>
            Try again
          </Button>
        )}
        {fault?.requestId && (
          <Text size="xs" c="dimmed" className="wrap">
            Request {fault.requestId}
          </Text>
        )}
      </Group>
    </Alert>
  );
}
