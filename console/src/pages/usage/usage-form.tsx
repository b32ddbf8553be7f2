import { Fieldset, MultiSelect, Select, SimpleGrid, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import type { components } from '../../api/schema';
import { NamePicker } from '../../names/name-picker';
import { DEFAULT_METRICS, type UsageSearch } from './usage-query';

type Words = components['schemas']['AnalyticsMeta'];

interface UsageFormProps {
  readonly search: UsageSearch;
  readonly words: Words;
  readonly onChange: (part: UsageSearch) => void;
}

const choices = (words: readonly { name: string; display_label: string }[]): { value: string; label: string }[] =>
  words.map(({ name, display_label }) => ({ value: name, label: display_label }));
const listOrNone = (list: string[]): string[] | undefined => (list.length > 0 ? list : undefined);

export function UsageForm({ search, words, onChange }: UsageFormProps): ReactNode {
  return (
    <Fieldset legend="Query" p="sm">
      <SimpleGrid cols={{ base: 2, sm: 3, lg: 6 }} className="query">
        <MultiSelect
          className="query-metrics"
          label="Metrics"
          data={choices(words.metrics)}
          value={[...(search.metrics ?? DEFAULT_METRICS)]}
          onChange={(metrics) => onChange({ metrics: listOrNone(metrics) })}
          searchable
        />
        <MultiSelect
          label="Group by"
          description="Up to two"
          inputWrapperOrder={['label', 'input']}
          data={choices(words.dimensions)}
          value={[...(search.by ?? [])]}
          maxValues={2}
          onChange={(by) => onChange({ by: listOrNone(by) })}
          searchable
          clearable
          clearButtonProps={{ 'aria-label': 'Clear the groups' }}
        />
        <Select
          label="Per"
          placeholder="whole time"
          data={choices(words.granularities)}
          value={search.granularity ?? null}
          onChange={(granularity) => onChange({ granularity: granularity ?? undefined })}
          clearable
          clearButtonProps={{ 'aria-label': 'Clear the granularity' }}
        />
        <NamePicker kind="key" label="Key" value={search.key} onChange={(key) => onChange({ key })} />
        <TextInput
          label="Model"
          placeholder="all"
          value={search.model ?? ''}
          onChange={(event) => onChange({ model: event.currentTarget.value || undefined })}
        />
        <Select
          label="Outcome"
          placeholder="all"
          data={[
            { value: 'ok', label: 'Successful' },
            { value: 'errors', label: 'Failed' },
          ]}
          value={search.status ?? null}
          onChange={(status) => onChange({ status: status ?? undefined })}
          clearable
          clearButtonProps={{ 'aria-label': 'Clear the outcome' }}
        />
      </SimpleGrid>
    </Fieldset>
  );
}
