import { Switch } from '@mantine/core';
import type { ReactNode } from 'react';

interface CountsByokSwitchProps {
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
}

/** `include_byok_in_limit` of a key. */
export function CountsByokSwitch({ checked, onChange }: CountsByokSwitchProps): ReactNode {
  return (
    <Switch
      label="The limit counts calls on own provider credentials too"
      checked={checked}
      onChange={({ currentTarget }) => onChange(currentTarget.checked)}
    />
  );
}
