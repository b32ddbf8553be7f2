import { Alert, Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api, body } from '../../api/client';
import type { DeliveryRecord } from '../../api/records';
import { ofWebhook, webhooksChanged } from '../../api/webhooks';
import { FaultAlert } from '../../components/fault-alert';
import { useKeptFocus } from '../../components/use-kept-focus';
import { outcomeOf } from './deliveries';
import { t } from '../../text/translate';

interface Test {
  readonly button: ReactNode;
  readonly result: ReactNode;
}

/** Sends a test event, and reports the result. */
export function useWebhookTest(id: string): Test {
  const testing = useMutation({
    mutationFn: async (): Promise<DeliveryRecord> => {
      const { data } = await body(api.POST('/api/v1/webhooks/{id}/test', ofWebhook(id)));
      await webhooksChanged();
      return data;
    },
  });
  const button = useKeptFocus(testing.isPending);
  return {
    button: (
      <Button ref={button} size="compact-sm" loading={testing.isPending} onClick={() => testing.mutate()}>
        {t('Send a test')}
      </Button>
    ),
    result: testing.error ? <FaultAlert error={testing.error} /> : testing.data && <Outcome delivery={testing.data} />,
  };
}

function Outcome({ delivery }: { readonly delivery: DeliveryRecord }): ReactNode {
  const isDelivered = delivery.status === 'delivered';
  return (
    <Alert
      role="status"
      variant="outline"
      color={isDelivered ? 'green' : 'red'}
      title={isDelivered ? t('The test was delivered') : t('The test was not delivered')}
    >
      {outcomeOf(delivery)}
    </Alert>
  );
}
