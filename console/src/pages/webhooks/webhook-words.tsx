import { Badge } from '@mantine/core';
import type { ReactNode } from 'react';
import type { components } from '../../api/schema';
import type { WebhookRecord } from '../../api/records';
import { ABSENT } from '../../format/amounts';
import { t } from '../../text/translate';

export type WebhookFormat = components['schemas']['WebhookRecord']['format'];
export type WebhookEvent = components['schemas']['CreateWebhookRequest']['events'][number];

export const FORMAT_NAMES: Readonly<Record<WebhookFormat, string>> = {
  slack: 'Slack',
  discord: 'Discord',
  teams: 'Microsoft Teams',
  email: 'E-mail',
  signed: t('Signed webhook'),
  otlp: t('OTLP logs'),
};

export const EVENT_NAMES: Readonly<Record<WebhookEvent, string>> = {
  'key.limit.threshold': t('A key has spent 50, 80, 95 or 100 % of its limit'),
  'key.limit.raised': t('The limit of a key was raised for a time'),
  'key.limit.raise.ended': t('The raise of the limit of a key has ended'),
  'budget.refused': t('A call was refused for lack of money'),
  'budget.threshold': t('A budget has spent 50, 80, 95 or 100 % of its limit'),
  'budget.raised': t('A budget was raised for a time'),
  'budget.raise.ended': t('The raise of a budget has ended'),
  'credits.low': t('The credits are low'),
  'endpoint.unhealthy': t('An endpoint of a provider does not respond'),
  'endpoint.recovered': t('An endpoint of a provider responds again'),
  'credential.exhausted': t('A credential of a provider has no money or quota left'),
  'credential.refused': t('A provider refuses a credential'),
  'credential.recovered': t('A credential of a provider serves again'),
  'intern.failed': t('An intern failed'),
  'key.created': t('A key was created'),
  'key.disabled': t('A key was disabled'),
  'member.removed': t('A member was removed'),
  'webhook.disabled': t('Another webhook was disabled'),
  'generation.completed': t('Records of calls, in batches'),
};

/** The first event, and the number of further ones. */
export function eventsText([first, ...others]: readonly string[]): string {
  if (first === undefined) return ABSENT;
  const name = EVENT_NAMES[first as WebhookEvent];
  return others.length === 0 ? name : t('{name}, and {others} more', { name, others: others.length });
}

/** Whether people read the messages of a format. Records of calls are not sent to people. */
export const isForPeople = (format: WebhookFormat): boolean => format !== 'signed' && format !== 'otlp';

export const hasSecret = (format: WebhookFormat): boolean => format === 'signed';

export const addressOf = ({ url, to }: WebhookRecord): string => to ?? url ?? '';

export function WebhookState({ webhook }: { readonly webhook: WebhookRecord }): ReactNode {
  const { disabled, disabled_reason: reason } = webhook;
  if (!disabled)
    return (
      <Badge color="green" variant="outline">
        {t('Active')}
      </Badge>
    );
  return (
    <Badge color={reason === 'failing' ? 'red' : 'gray'} variant={reason === 'failing' ? 'outline' : 'default'}>
      {reason === 'failing' ? t('Disabled: it failed for three days') : t('Disabled')}
    </Badge>
  );
}
