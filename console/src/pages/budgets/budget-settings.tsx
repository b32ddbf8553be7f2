import { NumberInput, Switch, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '../../text/translate';

export interface BudgetSettingValues {
  readonly limit: string | number;
  readonly name: string;
  readonly isSoft: boolean;
  readonly countsByok: boolean;
}

interface BudgetSettingsProps {
  readonly values: BudgetSettingValues;
  readonly onChange: (part: Partial<BudgetSettingValues>) => void;
  /** Whether the field of the limit has the focus when the form opens. */
  readonly hasFocus: boolean;
  /** Fields between the limit and the other fields. */
  readonly children?: ReactNode;
}

/** The fields of a budget that can be changed. */
export function BudgetSettings({ values, onChange, hasFocus, children }: BudgetSettingsProps): ReactNode {
  return (
    <>
      <NumberInput
        label={t('Limit, USD')}
        required
        data-autofocus={hasFocus || undefined}
        min={0}
        decimalScale={9}
        value={values.limit}
        onChange={(limit) => onChange({ limit })}
      />
      {children}
      <TextInput
        label={t('Name')}
        description={t('May be empty')}
        value={values.name}
        onChange={(event) => onChange({ name: event.currentTarget.value })}
      />
      <Switch
        label={t('Soft: reports reached thresholds, and never refuses a call')}
        checked={values.isSoft}
        onChange={({ currentTarget }) => onChange({ isSoft: currentTarget.checked })}
      />
      <Switch
        label={t('Counts calls on own provider credentials too')}
        checked={values.countsByok}
        onChange={({ currentTarget }) => onChange({ countsByok: currentTarget.checked })}
      />
    </>
  );
}
