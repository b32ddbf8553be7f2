import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { OPEN_LIST } from './open-list';
import { nameSearch, type FoundNames } from './name-store';
import { useNames, type Names } from './use-names';

const TYPING_PAUSE_MS = 250;

interface Choice {
  readonly value: string;
  readonly label: string;
}

const CHOICES = {
  key: ({ api_keys }: FoundNames): Choice[] =>
    api_keys.map(({ hash, name, label, deleted }) => ({
      value: hash,
      label: `${name} · ${label}${deleted ? ' (deleted)' : ''}`,
    })),
  person: ({ users }: FoundNames): Choice[] =>
    users.map(({ id, name, email }) => ({ value: id, label: email === null ? name : `${name} · ${email}` })),
  workspace: ({ workspaces }: FoundNames): Choice[] => workspaces.map(({ id, name }) => ({ value: id, label: name })),
  intern: ({ interns }: FoundNames): Choice[] => interns.map(({ id, name }) => ({ value: id, label: name })),
} satisfies Record<keyof Names, unknown>;

interface NamePickerProps {
  readonly kind: keyof Names;
  readonly label: string;
  readonly value: string | undefined;
  readonly onChange: (id: string | undefined) => void;
  readonly isFocused?: boolean;
}

/** Finds a key, a member, a workspace or an intern by a part of the name; the API searches. */
export function NamePicker({ kind, label, value, onChange, isFocused }: NamePickerProps): ReactNode {
  const names = useNames();
  const [text, setText] = useState('');
  const chosen = value === undefined ? undefined : { value, label: names[kind](value) };
  const typed = text === chosen?.label ? '' : text.trim();
  const [query] = useDebouncedValue(typed, TYPING_PAUSE_MS);
  const found = useQuery({ ...nameSearch(query), placeholderData: (before) => before });
  const choices = found.data ? CHOICES[kind](found.data) : [];
  const isListed = choices.some((choice) => choice.value === value);
  return (
    <Select
      label={label}
      data={chosen && !isListed ? [chosen, ...choices] : choices}
      value={value ?? null}
      onChange={(id) => onChange(id ?? undefined)}
      searchable
      onSearchChange={setText}
      // The API has searched.
      filter={({ options }) => options}
      nothingFoundMessage={found.isFetching ? 'Searching…' : 'Nothing has this name'}
      placeholder="A part of the name"
      data-autofocus={isFocused || undefined}
      {...OPEN_LIST}
    />
  );
}
