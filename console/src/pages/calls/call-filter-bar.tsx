import { SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { analytics } from '../../api/analytics';
import { useMay } from '../../api/session';
import { FilterBar, type Filter, type FilterEditorProps } from '../../filters/filter-bar';
import { choiceEditor, nameEditor, SuggestedText, textEditor } from '../../filters/filter-editors';
import { useNames } from '../../names/use-names';
import { useScope } from '../../scope/use-scope';
import { CALL_KINDS, STATUSES, type CallFilters } from './call-filters';
import { t } from '../../text/translate';

const MAX_SUGGESTIONS = 200;
const MEANINGS = new Map<string, string>(STATUSES);

/** Suggests the values of calls in the time range, most frequent first. */
const suggestedEditor = (dimension: 'model' | 'provider' | 'external_user') =>
  function Editor(props: FilterEditorProps): ReactNode {
    const { time } = useScope();
    const mayRead = useMay('usage.sums');
    const found = useQuery({
      ...analytics({
        metrics: ['request_count'],
        dimensions: [dimension],
        order_by: { field: 'request_count', direction: 'desc' },
        limit: MAX_SUGGESTIONS,
        time_range: time,
      }),
      enabled: mayRead,
    });
    const values = (found.data?.rows ?? []).flatMap((row) => (row[dimension] == null ? [] : String(row[dimension])));
    return <SuggestedText {...props} suggestions={values} />;
  };

const EDITORS = {
  model: suggestedEditor('model'),
  provider: suggestedEditor('provider'),
  user: suggestedEditor('external_user'),
  session: textEditor(t('The session_id of the calls')),
  key: nameEditor('key'),
  person: nameEditor('person'),
  code: choiceEditor(STATUSES.map(([value, meaning]) => ({ value, label: `${value} ${meaning}` }))),
  kind: choiceEditor(CALL_KINDS.map((kind) => ({ value: kind, label: kind }))),
} satisfies Partial<Record<keyof CallFilters, Filter['Editor']>>;

interface CallFilterBarProps {
  readonly filters: CallFilters;
  readonly onChange: (part: CallFilters) => void;
}

export function CallFilterBar({ filters, onChange }: CallFilterBarProps): ReactNode {
  const names = useNames();
  const [readsKeys, readsPeople] = [useMay('keys.read'), useMay('members.read')];
  const plain = (value: string): string => value;
  const choices: readonly (Omit<Filter, 'Editor' | 'name'> & { readonly name: keyof typeof EDITORS })[] = [
    { name: 'model', label: t('Model'), textOf: plain },
    ...(readsKeys ? [{ name: 'key', label: t('Key'), textOf: names.key } as const] : []),
    ...(readsPeople ? [{ name: 'person', label: t('Person'), textOf: names.person } as const] : []),
    { name: 'provider', label: t('Provider'), textOf: plain },
    { name: 'code', label: t('Status'), textOf: (code) => [code, MEANINGS.get(code)].filter(Boolean).join(' ') },
    { name: 'kind', label: t('Kind'), textOf: plain },
    { name: 'user', label: t('End user'), textOf: plain },
    { name: 'session', label: t('Session'), textOf: plain },
  ];
  const { status, ...values } = filters;
  return (
    <FilterBar
      filters={choices.map((choice) => ({ ...choice, Editor: EDITORS[choice.name] }))}
      values={values}
      onChange={onChange}
    >
      <SegmentedControl
        size="xs"
        aria-label={t('Outcome')}
        value={status ?? 'all'}
        onChange={(value) => onChange({ status: value === 'errors' || value === 'ok' ? value : undefined })}
        data={[
          { value: 'all', label: t('All') },
          { value: 'errors', label: t('Failed') },
          { value: 'ok', label: t('Successful') },
        ]}
      />
    </FilterBar>
  );
}
