import { Badge } from '@mantine/core';
import type { ReactNode } from 'react';
import type { components } from '../../api/schema';
import type { WebhookRecord } from '../../api/records';

export type WebhookFormat = components['schemas']['WebhookRecord']['format'];
export type WebhookEvent = components['schemas']['CreateWebhookRequest']['events'][number];

export const FORMAT_NAMES: Readonly<Record<WebhookFormat, string>> = {
  slack: 'Slack',
  discord: 'Discord',
  teams: 'Microsoft Teams',
  email: 'E-mail',
  signed: 'Signed webhook',
  otlp: 'OTLP logs',
};

export const EVENT_NAMES: Readonly<Record<WebhookEvent, string>> = {
  'key.limit.threshold': 'A key has spent 50, 80, 95 or 100 % of its limit',
  'key.limit.raised': 'The limit of a key was raised for a time',
  'key.limit.raise.ended': 'The raise of the limit of a key has ended',
  'budget.refused': 'A call was refused for lack of money',
  'budget.threshold': 'A budget has spent 50, 80, 95 or 100 % of its limit',
  'budget.raised': 'A budget was raised for a time',
  'budget.raise.ended': 'The raise of a budget has ended',
  'credits.low': 'The credits are low',
  'endpoint.unhealthy': 'An endpoint of a provider does not respond',
  'endpoint.recovered': 'An endpoint of a provider responds again',
  'credential.exhausted': 'A credential of a provider has no money or quota left',
  'credential.refused': 'A provider refuses a credential',
  'credential.recovered': 'A credential of a provider serves again',
  'intern.failed': 'An intern failed',
  'key.created': 'A key was created',
  'key.disabled': 'A key was disabled',
  'member.removed': 'A member was removed',
  'webhook.disabled': 'Another webhook was disabled',
  'generation.completed': 'Records of calls, in batches',
};

/** The formats whose messages people read. Records of calls are not for them. */
export const isForPeople = (format: WebhookFormat): boolean => format !== 'signed' && format !== 'otlp';

export const hasSecret = (format: WebhookFormat): boolean => format === 'signed';

export const addressOf = ({ url, to }: WebhookRecord): string => to ?? url ?? '';

export function WebhookState({ webhook }: { readonly webhook: WebhookRecord }): ReactNode {
  const { disabled, disabled_reason: reason } = webhook;
  if (!disabled)
    return (
      <Badge color="green" variant="outline">
        Active
      </Badge>
    );
  return (
    <Badge color={reason === 'failing' ? 'red' : 'gray'} variant={reason === 'failing' ? 'outline' : 'default'}>
      {reason === 'failing' ? 'Disabled: it failed for three days' : 'Disabled'}
    </Badge>
  );
}
