import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery, keepPreviousData } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { keyPage, useKeySummary, type KeyFilters } from '../../api/keys';
import { QUERY_KEYS } from '../../api/query-keys';
import type { KeySummary } from '../../api/records';
import { useScope } from '../../scope/use-scope';
import { t } from '../../text/translate';

const TYPING_MS = 300;
const MAX_CHOICES = 50;

interface KeyChoiceProps {
  /** The hash of the chosen key. */
  readonly value: string | undefined;
  readonly onChange: (hash: string | undefined) => void;
}

const labelOf = ({ name, label }: KeySummary): string => `${name} (${label})`;

/** Chooses a key that makes calls; keys are searched by the API. */
export function KeyChoice({ value, onChange }: KeyChoiceProps): ReactNode {
  const { workspace } = useScope();
  const [typed, setTyped] = useState('');
  const [text] = useDebouncedValue(typed, TYPING_MS);
  const chosen = useKeySummary(value);
  // The field's text for a chosen key is not a search.
  const q = chosen.data && text === labelOf(chosen.data) ? undefined : text || undefined;
  const filters: KeyFilters = { q, state: 'active', sort: 'last_used_at', workspace_id: workspace };
  const found = useQuery({
    queryKey: QUERY_KEYS.keyChoices(filters),
    queryFn: () => keyPage(filters, undefined, MAX_CHOICES),
    placeholderData: keepPreviousData,
  });
  const keys = (found.data?.data ?? []).filter((key) => key.class === 'standard');
  const others = chosen.data && !keys.some(({ hash }) => hash === value) ? [chosen.data] : [];
  return (
    <Select
      label={t('Key')}
      placeholder={t('Choose a key')}
      w={320}
      data={[...others, ...keys].map((key) => ({ value: key.hash, label: labelOf(key) }))}
      // The API has already filtered the options.
      filter={({ options }) => options}
      value={value ?? null}
      onChange={(hash) => onChange(hash ?? undefined)}
      onSearchChange={setTyped}
      nothingFoundMessage={t('No key matches.')}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': t('Clear the key') }}
    />
  );
}
