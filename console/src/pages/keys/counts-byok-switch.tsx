import { Switch } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '../../text/translate';

interface CountsByokSwitchProps {
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
}

/** The field `include_byok_in_limit` of a key. */
export function CountsByokSwitch({ checked, onChange }: CountsByokSwitchProps): ReactNode {
  return (
    <Switch
      label={t('The limit counts calls on own provider credentials too')}
      checked={checked}
      onChange={({ currentTarget }) => onChange(currentTarget.checked)}
    />
  );
}
