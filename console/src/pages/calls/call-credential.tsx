import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { CallDetails } from '../../api/records';
import { t } from '../../text/translate';

type Credential = NonNullable<NonNullable<CallDetails['attempts']>[number]['credential']>;
type PassedCredential = Credential['passed_over'][number];

const CHOSEN: Readonly<Record<Credential['reason'], string>> = {
  only: t('No other credential could be used.'),
  own_key: t('Keys of the account come first.'),
  session: t('It served the session before.'),
  priority: t('It has the lowest priority number.'),
  weight: t('It was drawn by weight.'),
  next: t('The credentials before it failed or were passed over.'),
};

const PASSED: Readonly<Record<PassedCredential['reason'], string>> = {
  rate_limited: t('the vendor limited its rate'),
  exhausted: t('its account has no credit left'),
  refused: t('the vendor refused it'),
  unknown_model: t('the vendor did not know the model'),
  cap: t('its limits were reached'),
  budget: t('its budget was used up'),
  address: t('its address had failed in this call'),
  unhealthy: t('its address had failed'),
};

/** The name; otherwise the masked key; otherwise the id, because names of deleted credentials are unknown. */
const nameOf = ({ id, name, label }: Pick<Credential, 'id' | 'name' | 'label'>): string => name ?? label ?? id;

/** Which credential an attempt used, and why. */
export function CallCredential({ credential }: { readonly credential: Credential }): ReactNode {
  const passed = credential.passed_over.map((one) => `${nameOf(one)}: ${PASSED[one.reason]}`);
  return (
    <>
      <Text size="sm">{nameOf(credential)}</Text>
      <Text size="xs" c="dimmed">
        {CHOSEN[credential.reason]}
        {passed.length > 0 && ` ${t('Passed over: {passed}.', { passed: passed.join('; ') })}`}
      </Text>
    </>
  );
}
