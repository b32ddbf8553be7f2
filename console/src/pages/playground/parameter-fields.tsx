import { Select, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { EFFORTS, type ParameterFields as Fields, type ReadParameters } from './parameters';
import { t } from '../../text/translate';

interface ParameterFieldsProps {
  readonly values: Fields;
  readonly faults: ReadParameters['faults'];
  readonly onChange: (part: Partial<Fields>) => void;
}

/** The parameters of a chat; empty ones are not sent. */
export function ParameterFields({ values, faults, onChange }: ParameterFieldsProps): ReactNode {
  const number = (field: 'temperature' | 'maxTokens' | 'topP' | 'seed', label: string): ReactNode => (
    <TextInput
      label={label}
      inputMode="decimal"
      value={values[field]}
      error={faults[field]}
      onChange={(event) => onChange({ [field]: event.currentTarget.value })}
    />
  );
  const json = (field: 'tools' | 'schema', label: string): ReactNode => (
    <Textarea
      label={label}
      description={t('JSON')}
      autosize
      minRows={2}
      maxRows={10}
      value={values[field]}
      error={faults[field]}
      onChange={(event) => onChange({ [field]: event.currentTarget.value })}
    />
  );
  return (
    <details>
      <summary>{t('Parameters')}</summary>
      <Stack gap="xs" mt="xs">
        <SimpleGrid cols={{ base: 2, sm: 5 }}>
          {number('temperature', t('Temperature'))}
          {number('maxTokens', t('Max tokens'))}
          {number('topP', t('Top p'))}
          {number('seed', t('Seed'))}
          <Select
            label={t('Reasoning')}
            placeholder={t('default')}
            data={EFFORTS}
            value={values.effort || null}
            onChange={(effort) => onChange({ effort: effort ?? '' })}
            clearable
            clearButtonProps={{ 'aria-label': t('Clear the reasoning') }}
          />
        </SimpleGrid>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          {json('tools', t('Tools'))}
          {json('schema', t('Schema of the answer'))}
        </SimpleGrid>
      </Stack>
    </details>
  );
}
