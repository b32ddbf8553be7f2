import { Button, Group, Select, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useState, type ReactNode } from 'react';
import { useMay, useSeesOwnOnly } from '../../api/session';
import { NamePicker } from '../../names/name-picker';
import { KEY_STATES, type KeySearch } from './key-search';
import { t } from '../../text/translate';
import { STATE_WORDS } from './key-state';

const TYPING_MS = 300;
const STATES = KEY_STATES.map((value) => ({ value, label: STATE_WORDS[value] }));
const NEAREST: KeySearch = { sort: 'limit_used', direction: 'desc', state: 'active' };

interface KeyFiltersProps {
  readonly search: KeySearch;
  readonly onChange: (part: KeySearch) => void;
}

/** The filters of the list of keys. */
export function KeyFilters({ search, onChange }: KeyFiltersProps): ReactNode {
  const [text, setText] = useState(search.q ?? '');
  const find = useDebouncedCallback((q: string) => onChange({ q: q || undefined }), TYPING_MS);
  return (
    <Group align="flex-end" gap="sm" role="search" aria-label={t('Keys')}>
      <TextInput
        type="search"
        label={t('Search')}
        placeholder={t('Name or part of the key')}
        w={240}
        value={text}
        onChange={({ currentTarget: { value } }) => {
          setText(value);
          find(value.trim());
        }}
      />
      <Owner value={search.owner} onChange={(owner) => onChange({ owner })} />
      <Select
        label={t('State')}
        placeholder={t('All')}
        w={140}
        data={STATES}
        value={search.state ?? null}
        onChange={(state) => onChange({ state: KEY_STATES.find((known) => known === state) })}
        clearable
        clearButtonProps={{ 'aria-label': t('Clear the state') }}
      />
      <Button variant="default" onClick={() => onChange(NEAREST)}>
        {t('Nearest to the limit')}
      </Button>
    </Group>
  );
}

interface OwnerProps {
  readonly value: string | undefined;
  readonly onChange: (owner: string | undefined) => void;
}

function Owner(props: OwnerProps): ReactNode {
  const hasOthers = !useSeesOwnOnly();
  return (
    useMay('members.read') &&
    hasOthers && <NamePicker kind="person" label={t('Owner')} placeholder={t('Everybody')} {...props} />
  );
}
