import { Badge } from '@mantine/core';
import type { ReactNode } from 'react';
import type { KeyRecord } from '../../api/records';
import type { KeyState } from './key-search';

const COLORS: Readonly<Record<KeyState, string>> = { active: 'green', disabled: 'gray', expired: 'orange' };
const WORDS: Readonly<Record<KeyState, string>> = { active: 'Active', disabled: 'Disabled', expired: 'Expired' };

export const stateOf = ({ disabled, expires_at }: KeyRecord): KeyState =>
  disabled ? 'disabled' : expires_at !== null && Date.parse(expires_at) <= Date.now() ? 'expired' : 'active';

export function StateBadge({ state }: { readonly state: KeyState }): ReactNode {
  return (
    <Badge color={COLORS[state]} variant={state === 'disabled' ? 'default' : 'outline'}>
      {WORDS[state]}
    </Badge>
  );
}
