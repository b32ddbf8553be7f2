import { Select } from '@mantine/core';
import type { ReactNode } from 'react';
import { useProviders } from '../api/providers';

interface ProviderSelectProps {
  readonly value: string | null;
  readonly onChange: (slug: string | null) => void;
}

/** One of the providers of the catalogue. */
export function ProviderSelect({ value, onChange }: ProviderSelectProps): ReactNode {
  const providers = useProviders();
  return (
    <Select
      label="Provider"
      required
      searchable
      data={(providers.data ?? []).map(({ slug, name }) => ({ value: slug, label: name }))}
      value={value}
      onChange={onChange}
    />
  );
}
