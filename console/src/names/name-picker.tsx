import { Select } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { OPEN_LIST } from './open-list';
import type { FoundNames } from './name-store';
import { useNameSearch } from './use-name-search';
import { useNames, type Names } from './use-names';
import { t } from '../text/translate';

interface Choice {
  readonly value: string;
  readonly label: string;
}

const CHOICES = {
  key: ({ api_keys }: FoundNames): Choice[] =>
    api_keys.map(({ hash, name, label, deleted }) => ({
      value: hash,
      label: `${deleted ? t('{name} (deleted)', { name }) : name} · ${label}`,
    })),
  person: ({ users }: FoundNames): Choice[] =>
    users.map(({ id, name, email }) => ({ value: id, label: email === null ? name : `${name} · ${email}` })),
  workspace: ({ workspaces }: FoundNames): Choice[] => workspaces.map(({ id, name }) => ({ value: id, label: name })),
  intern: ({ interns }: FoundNames): Choice[] => interns.map(({ id, name }) => ({ value: id, label: name })),
} satisfies Record<keyof Names, unknown>;

interface NamePickerProps {
  readonly kind: keyof Names;
  readonly label: string;
  readonly placeholder?: string;
  readonly value: string | undefined;
  readonly onChange: (id: string | undefined) => void;
  readonly isFocused?: boolean;
  readonly isRequired?: boolean;
}

/** Finds a key, a member, a workspace or an intern by a part of the name; the API searches. */
export function NamePicker({
  kind,
  label,
  placeholder = t('A part of the name'),
  value,
  onChange,
  isFocused,
  isRequired = false,
}: NamePickerProps): ReactNode {
  const names = useNames();
  const [text, setText] = useState('');
  const chosen = value === undefined ? undefined : { value, label: names[kind](value) };
  const typed = text === chosen?.label ? '' : text.trim();
  const { found, isSearching } = useNameSearch(typed);
  const choices = found ? CHOICES[kind](found) : [];
  const isListed = choices.some((choice) => choice.value === value);
  return (
    <Select
      label={label}
      required={isRequired}
      clearable={!isRequired}
      clearButtonProps={{ 'aria-label': t('Clear: {label}', { label }) }}
      data={chosen && !isListed ? [chosen, ...choices] : choices}
      value={value ?? null}
      onChange={(id) => onChange(id ?? undefined)}
      searchable
      onSearchChange={setText}
      // The API has already filtered the options.
      filter={({ options }) => options}
      nothingFoundMessage={isSearching ? t('Searching…') : t('Nothing has this name')}
      placeholder={placeholder}
      data-autofocus={isFocused || undefined}
      {...OPEN_LIST}
    />
  );
}
