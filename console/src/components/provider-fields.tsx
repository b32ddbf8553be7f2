import { PasswordInput, Select } from '@mantine/core';
import type { ReactNode } from 'react';
import { useProviders } from '../api/providers';
import { t } from '../text/translate';

interface ProviderSelectProps {
  readonly value: string | null;
  readonly onChange: (slug: string | null) => void;
}

/** Selects one of the providers of the catalogue. */
export function ProviderSelect({ value, onChange }: ProviderSelectProps): ReactNode {
  const providers = useProviders();
  return (
    <Select
      label={t('Provider')}
      required
      searchable
      data={(providers.data ?? []).map(({ slug, name }) => ({ value: slug, label: name }))}
      value={value}
      onChange={onChange}
    />
  );
}

export interface KeyFieldProps {
  readonly label?: string;
  readonly description?: string;
  readonly required?: boolean;
  readonly value: string;
  readonly onChange: (key: string) => void;
}

/** The key of a provider. Browsers do not fill it in. */
export function KeyField({ label = t('Key at the provider'), onChange, ...props }: KeyFieldProps): ReactNode {
  return (
    <PasswordInput
      label={label}
      autoComplete="off"
      visibilityToggleButtonProps={{ 'aria-label': t('Show the key') }}
      onChange={(event) => onChange(event.currentTarget.value)}
      {...props}
    />
  );
}
