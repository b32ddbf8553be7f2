import { Alert, Button, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { ApiFault, hasNoResponse, mayBeTemporary } from '../api/api-fault';
import { t } from '../text/translate';

interface FaultProps {
  readonly error: Error;
  readonly onRetry?: () => void;
}

/** Shown instead of data that could not be read. `FailedReads` reports temporary failures once for the whole page. */
export function ReadFault({ error, onRetry }: FaultProps): ReactNode {
  return mayBeTemporary(error) ? (
    <Text c="dimmed">{t('Could not be read.')}</Text>
  ) : (
    <FaultAlert error={error} onRetry={onRetry} />
  );
}

/** The error, a remedy, and the request id, which an operator needs. */
export function FaultAlert({ error, onRetry }: FaultProps): ReactNode {
  const fault = error instanceof ApiFault ? error : undefined;
  const advice = fault ? fault.advice : t('Check that the service runs and can be reached, then try again.');
  return (
    <Alert
      color="red"
      variant="outline"
      role="alert"
      title={fault ? t('Error {status}', { status: fault.status }) : t('Error')}
    >
      <Text size="sm" className="wrap">
        {hasNoResponse(error) ? t('The service cannot be reached.') : error.message}
      </Text>
      {advice && (
        <Text size="sm" mt={4}>
          {advice}
        </Text>
      )}
      <Group mt={onRetry || fault?.requestId ? 'xs' : 0} gap="sm">
        {onRetry && (
          <Button size="xs" variant="default" onClick={onRetry}>
            {t('Try again')}
          </Button>
        )}
        {fault?.requestId && (
          <Text size="xs" c="dimmed" className="wrap">
            {t('Request {requestId}', { requestId: fault.requestId })}
          </Text>
        )}
      </Group>
    </Alert>
  );
}
