import { Select, SimpleGrid, Stack, TagsInput, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { LimitNumber } from '../../components/call-limit-fields';
import {
  CAPABILITY_NAMES,
  hasContext,
  NEW_MODEL,
  OTHER_PRICES,
  PRICES,
  type Capability,
  type ModelValues,
  type PriceField,
} from './model-values';
import { t } from '../../text/translate';

interface ModelFieldsProps {
  readonly slug: string;
  /** Whether the provider has models with capabilities other than chat. */
  readonly hasOthers: boolean;
  readonly values: ModelValues;
  readonly onChange: (part: Partial<ModelValues>) => void;
  /** The id of an existing model cannot be changed. */
  readonly isNew: boolean;
  /** Set if the upstream name is already known. */
  readonly hidesUpstream?: boolean;
}

const CAPABILITIES = Object.entries(CAPABILITY_NAMES).map(([value, label]) => ({ value, label }));
const PARAMETERS = [
  'frequency_penalty',
  'max_tokens',
  'presence_penalty',
  'reasoning',
  'response_format',
  'seed',
  'stop',
  'structured_outputs',
  'temperature',
  'tool_choice',
  'tools',
  'top_p',
];

/** The name, the capabilities and the prices of a model. Rarely used fields are collapsed. */
export function ModelFields(props: ModelFieldsProps): ReactNode {
  const { slug, hasOthers, values, onChange, isNew, hidesUpstream } = props;
  const { capability } = values;
  const others = OTHER_PRICES[capability];
  const choose = (chosen: Capability): void => {
    const { input_modalities, supported_parameters } = NEW_MODEL;
    onChange({ capability: chosen, input_modalities, supported_parameters, max_completion_tokens: null });
  };
  return (
    <>
      {!hidesUpstream && (
        <TextInput
          label={t('Name at the provider')}
          required
          autoComplete="off"
          value={values.upstream}
          onChange={(event) => onChange({ upstream: event.currentTarget.value })}
        />
      )}
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        {isNew && (
          <TextInput
            label={t('Id')}
            description={t('Callers use {slug}/{id}', { slug, id: values.id || '…' })}
            required
            autoComplete="off"
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            value={values.id}
            onChange={(event) => onChange({ id: event.currentTarget.value })}
          />
        )}
        {hasOthers && (
          <Select
            label={t('Capability')}
            allowDeselect={false}
            data={CAPABILITIES}
            value={capability}
            onChange={(chosen) => choose((chosen ?? 'chat') as Capability)}
          />
        )}
        {hasContext(capability) && (
          <LimitNumber
            label={t('Context in tokens')}
            required
            value={values.context_length}
            onChange={(context) => onChange({ context_length: context })}
          />
        )}
      </SimpleGrid>
      <PriceInputs fields={PRICES[capability]} values={values} onChange={onChange} />
      <details>
        <summary>{t('More')}</summary>
        <Stack mt="sm">
          <TextInput
            label={t('Display name')}
            value={values.name}
            onChange={(event) => onChange({ name: event.currentTarget.value })}
          />
          {capability === 'chat' && (
            <LimitNumber
              label={t('Most output tokens')}
              description={t('Empty: the context alone limits the output')}
              value={values.max_completion_tokens}
              onChange={(output) => onChange({ max_completion_tokens: output })}
            />
          )}
          <TagsInput
            label={t('Input')}
            description={t('Empty: the usual one')}
            data={['audio', 'file', 'image', 'text', 'video']}
            value={[...values.input_modalities]}
            onChange={(input) => onChange({ input_modalities: input })}
          />
          <TagsInput
            label={t('Parameters')}
            description={t('What requests may set. Empty: the usual ones')}
            data={capability === 'chat' ? PARAMETERS : []}
            value={[...values.supported_parameters]}
            onChange={(parameters) => onChange({ supported_parameters: parameters })}
          />
          {others && <PriceInputs fields={others} values={values} onChange={onChange} />}
        </Stack>
      </details>
    </>
  );
}

interface PriceInputsProps extends Pick<ModelFieldsProps, 'values' | 'onChange'> {
  readonly fields: readonly PriceField[];
}

function PriceInputs({ fields, values: { prices }, onChange }: PriceInputsProps): ReactNode {
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      {fields.map(({ name, label, unit }) => (
        <TextInput
          key={name}
          label={t('{label}, USD {unit}', { label, unit })}
          inputMode="decimal"
          autoComplete="off"
          value={prices[name] ?? ''}
          onChange={(event) => onChange({ prices: { ...prices, [name]: event.currentTarget.value } })}
        />
      ))}
    </SimpleGrid>
  );
}
