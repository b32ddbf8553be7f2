import { Button, Group, Select, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useState, type ReactNode } from 'react';
import { useMembers } from '../../api/members';
import { useMay } from '../../api/session';
import { KEY_STATES, type KeySearch } from './key-search';

const TYPING_MS = 300;
const STATES = KEY_STATES.map((value) => ({ value, label: value[0]!.toUpperCase() + value.slice(1) }));
const NEAREST: KeySearch = { sort: 'limit_used', direction: 'desc', state: 'active' };

interface KeyFiltersProps {
  readonly search: KeySearch;
  readonly onChange: (part: KeySearch) => void;
}

/** What narrows the list of keys. */
export function KeyFilters({ search, onChange }: KeyFiltersProps): ReactNode {
  const [text, setText] = useState(search.q ?? '');
  const find = useDebouncedCallback((q: string) => onChange({ q: q || undefined }), TYPING_MS);
  return (
    <Group align="flex-end" gap="sm" role="search" aria-label="Keys">
      <TextInput
        type="search"
        label="Search"
        placeholder="Name or part of the key"
        w={240}
        value={text}
        onChange={({ currentTarget: { value } }) => {
          setText(value);
          find(value.trim());
        }}
      />
      <OwnerSelect value={search.owner} onChange={(owner) => onChange({ owner })} />
      <Select
        label="State"
        placeholder="All"
        w={140}
        data={STATES}
        value={search.state ?? null}
        onChange={(state) => onChange({ state: KEY_STATES.find((known) => known === state) })}
        clearable
        clearButtonProps={{ 'aria-label': 'Clear the state' }}
      />
      <Button variant="default" onClick={() => onChange(NEAREST)}>
        Nearest to the limit
      </Button>
    </Group>
  );
}

interface OwnerSelectProps {
  readonly value: string | undefined;
  readonly onChange: (owner: string | undefined) => void;
}

function OwnerSelect({ value, onChange }: OwnerSelectProps): ReactNode {
  const mayRead = useMay('members.read');
  const members = useMembers(mayRead);
  if (!mayRead) return null;
  return (
    <Select
      label="Owner"
      placeholder="Everybody"
      w={200}
      data={(members.data ?? []).map(({ user_id, name }) => ({ value: user_id, label: name ?? user_id.slice(0, 8) }))}
      limit={100}
      value={value ?? null}
      onChange={(owner) => onChange(owner ?? undefined)}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': 'Clear the owner' }}
    />
  );
}
