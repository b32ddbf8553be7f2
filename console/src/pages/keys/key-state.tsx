import { Badge } from '@mantine/core';
import type { ReactNode } from 'react';
import type { KeyRecord } from '../../api/records';
import type { KeyState } from './key-search';
import { t } from '../../text/translate';

const COLORS: Readonly<Record<KeyState, string>> = { active: 'green', disabled: 'gray', expired: 'orange' };
export const STATE_WORDS: Readonly<Record<KeyState, string>> = {
  active: t('Active'),
  disabled: t('Disabled'),
  expired: t('Expired'),
};

export const stateOf = ({ disabled, expires_at }: KeyRecord): KeyState =>
  disabled ? 'disabled' : expires_at !== null && Date.parse(expires_at) <= Date.now() ? 'expired' : 'active';

export function StateBadge({ state }: { readonly state: KeyState }): ReactNode {
  return (
    <Badge color={COLORS[state]} variant={state === 'disabled' ? 'default' : 'outline'}>
      {STATE_WORDS[state]}
    </Badge>
  );
}
