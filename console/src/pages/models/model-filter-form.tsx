import { Accordion, NumberInput, Select, SimpleGrid, Switch, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ModelsSearch } from './model-filters';
import { t } from '../../text/translate';

const SORTS = {
  'most-popular': t('Most popular'),
  newest: t('Newest'),
  'top-weekly': t('Top of the week'),
  'pricing-low-to-high': t('Price, low to high'),
  'pricing-high-to-low': t('Price, high to low'),
  'context-high-to-low': t('Context, high to low'),
  'throughput-high-to-low': t('Throughput, high to low'),
  'latency-low-to-high': t('Latency, low to high'),
  'intelligence-high-to-low': t('Intelligence index, high to low'),
  'coding-high-to-low': t('Coding index, high to low'),
  'agentic-high-to-low': t('Agentic index, high to low'),
};
const CATEGORIES = {
  programming: t('Programming'),
  roleplay: t('Roleplay'),
  marketing: t('Marketing'),
  'marketing/seo': t('Marketing, SEO'),
  technology: t('Technology'),
  science: t('Science'),
  translation: t('Translation'),
  legal: t('Legal'),
  finance: t('Finance'),
  health: t('Health'),
  trivia: t('Trivia'),
  academia: t('Academia'),
};
const MADE = { text: t('Text'), image: t('Pictures'), audio: t('Audio'), video: t('Video') };
const OUTPUTS = { ...MADE, embeddings: t('Embeddings'), transcription: t('Transcription'), rerank: t('Ranks') };
const INPUTS = { ...MADE, file: t('Files') };

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
  const choice = (name: ChoiceName, label: string, words: Readonly<Record<string, string>>): ReactNode => (
    <Select
      label={label}
      placeholder={t('any')}
      data={Object.entries(words).map(([value, text]) => ({ value, label: text }))}
      value={search[name] ?? null}
      onChange={(value) => onChange({ [name]: value ?? undefined })}
      clearable
      clearButtonProps={{ 'aria-label': t('Clear: {label}', { label }) }}
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
        {words('q', t('Search'), t('name or id'))}
        {choice('output_modalities', t('Makes'), OUTPUTS)}
        {choice('input_modalities', t('Takes'), INPUTS)}
        {choice('sort', t('Sort'), SORTS)}
      </SimpleGrid>
      <Switch
        label={t('Only models that can be called now')}
        checked={search.callable ?? false}
        onChange={({ currentTarget: { checked } }) => onChange({ callable: checked || undefined })}
      />
      <Accordion variant="contained">
        <Accordion.Item value="more">
          <Accordion.Control>{t('More filters')}</Accordion.Control>
          <Accordion.Panel>
            <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }}>
              {words('providers', t('Providers'), t('openai, azure'))}
              {words('model_authors', t('Authors'), 'anthropic')}
              {words('supported_parameters', t('Parameters'), t('tools, reasoning'))}
              {choice('category', t('Category'), CATEGORIES)}
              {number('context', t('Context of at least'))}
              {number('max_price', t('Prompt at most, USD per 1M'))}
              {number('max_output_price', t('Completion at most, USD per 1M'))}
              {number('max_age_days', t('At most this old, days'))}
              {number('min_intelligence_index', t('Intelligence index of at least'))}
              {number('min_coding_index', t('Coding index of at least'))}
              {flag('zdr', t('Zero data retention'))}
              {flag('distillable', t('May be distilled'))}
            </SimpleGrid>
          </Accordion.Panel>
        </Accordion.Item>
      </Accordion>
    </>
  );
}
