import { Accordion, NumberInput, Select, SimpleGrid, Switch, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ModelsSearch } from './model-filters';

const SORTS = [
  'most-popular',
  'newest',
  'top-weekly',
  'pricing-low-to-high',
  'pricing-high-to-low',
  'context-high-to-low',
  'throughput-high-to-low',
  'latency-low-to-high',
  'intelligence-high-to-low',
  'coding-high-to-low',
  'agentic-high-to-low',
] as const;
const CATEGORIES = [
  'programming',
  'roleplay',
  'marketing',
  'marketing/seo',
  'technology',
  'science',
  'translation',
  'legal',
  'finance',
  'health',
  'trivia',
  'academia',
] as const;
const OUTPUTS = ['text', 'image', 'audio', 'embeddings', 'transcription', 'rerank', 'video'];
const INPUTS = ['text', 'image', 'audio', 'file', 'video'];

interface ModelFilterFormProps {
  readonly search: ModelsSearch;
  readonly onChange: (part: ModelsSearch) => void;
}

type TextName = 'q' | 'providers' | 'model_authors' | 'supported_parameters';
type NumberName =
  'context' | 'max_price' | 'max_output_price' | 'max_age_days' | 'min_intelligence_index' | 'min_coding_index';
type ChoiceName = 'output_modalities' | 'input_modalities' | 'sort' | 'category';

export function ModelFilterForm({ search, onChange }: ModelFilterFormProps): ReactNode {
  const words = (name: TextName, label: string, placeholder: string): ReactNode => (
    <TextInput
      label={label}
      placeholder={placeholder}
      value={search[name] ?? ''}
      onChange={(event) => onChange({ [name]: event.currentTarget.value || undefined })}
    />
  );
  const number = (name: NumberName, label: string): ReactNode => (
    <NumberInput
      label={label}
      min={0}
      value={search[name] ?? ''}
      onChange={(value) => onChange({ [name]: value === '' ? undefined : Number(value) })}
    />
  );
  const choice = (name: ChoiceName, label: string, data: readonly string[]): ReactNode => (
    <Select
      label={label}
      placeholder="any"
      data={data}
      value={search[name] ?? null}
      onChange={(value) => onChange({ [name]: value ?? undefined })}
      clearable
      clearButtonProps={{ 'aria-label': `Clear: ${label}` }}
    />
  );
  const flag = (name: 'zdr' | 'distillable', label: string): ReactNode => (
    <Switch
      label={label}
      checked={search[name] === 'true'}
      onChange={({ currentTarget: { checked } }) => onChange({ [name]: checked ? 'true' : undefined })}
    />
  );
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }}>
        {words('q', 'Search', 'name or id')}
        {choice('output_modalities', 'Makes', OUTPUTS)}
        {choice('input_modalities', 'Takes', INPUTS)}
        {choice('sort', 'Sort', SORTS)}
      </SimpleGrid>
      <Switch
        label="Only models that can be called now"
        checked={search.callable ?? false}
        onChange={({ currentTarget: { checked } }) => onChange({ callable: checked || undefined })}
      />
      <Accordion variant="contained">
        <Accordion.Item value="more">
          <Accordion.Control>More filters</Accordion.Control>
          <Accordion.Panel>
            <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }}>
              {words('providers', 'Providers', 'openai, azure')}
              {words('model_authors', 'Authors', 'anthropic')}
              {words('supported_parameters', 'Parameters', 'tools, reasoning')}
              {choice('category', 'Category', CATEGORIES)}
              {number('context', 'Context of at least')}
              {number('max_price', 'Prompt at most, USD per 1M')}
              {number('max_output_price', 'Completion at most, USD per 1M')}
              {number('max_age_days', 'At most this old, days')}
              {number('min_intelligence_index', 'Intelligence index of at least')}
              {number('min_coding_index', 'Coding index of at least')}
              {flag('zdr', 'Zero data retention')}
              {flag('distillable', 'May be distilled')}
            </SimpleGrid>
          </Accordion.Panel>
        </Accordion.Item>
      </Accordion>
    </>
  );
}
