import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { CallDetails } from '../../api/records';

type Credential = NonNullable<NonNullable<CallDetails['attempts']>[number]['credential']>;
type PassedCredential = Credential['passed_over'][number];

const CHOSEN: Readonly<Record<Credential['reason'], string>> = {
  only: 'No other credential could be used.',
  own_key: 'Keys of the account come first.',
  session: 'It served the session before.',
  priority: 'It has the lowest priority number.',
  weight: 'It was drawn by weight.',
  next: 'The credentials before it failed or were passed over.',
};

const PASSED: Readonly<Record<PassedCredential['reason'], string>> = {
  rate_limited: 'the vendor limited its rate',
  exhausted: 'its account has no credit left',
  refused: 'the vendor refused it',
  unknown_model: 'the vendor did not know the model',
  cap: 'its limits were reached',
  budget: 'its budget was used up',
  address: 'its address had failed in this call',
  unhealthy: 'its address had failed',
};

/** The name, else the masked key, else the id: names of deleted credentials are not known. */
const nameOf = ({ id, name, label }: Pick<Credential, 'id' | 'name' | 'label'>): string => name ?? label ?? id;

/** Which credential an attempt used, and why. */
export function CallCredential({ credential }: { readonly credential: Credential }): ReactNode {
  const passed = credential.passed_over.map((one) => `${nameOf(one)}: ${PASSED[one.reason]}`);
  return (
    <>
      <Text size="sm">{nameOf(credential)}</Text>
      <Text size="xs" c="dimmed">
        {CHOSEN[credential.reason]}
        {passed.length > 0 && ` Passed over: ${passed.join('; ')}.`}
      </Text>
    </>
  );
}
