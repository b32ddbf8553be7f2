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

interface ModelFieldsProps {
  readonly slug: string;
  /** Whether the provider has models of other capabilities than chat. */
  readonly hasOthers: boolean;
  readonly values: ModelValues;
  readonly onChange: (part: Partial<ModelValues>) => void;
  /** The id of a model that exists does not change. */
  readonly isNew: boolean;
  /** Known already. */
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

/** What a model is called, what it can do, and what it costs. What few need is folded. */
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
          label="Name at the provider"
          required
          autoComplete="off"
          value={values.upstream}
          onChange={(event) => onChange({ upstream: event.currentTarget.value })}
        />
      )}
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        {isNew && (
          <TextInput
            label="Id"
            description={`Callers use ${slug}/${values.id || '…'}`}
            required
            autoComplete="off"
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            value={values.id}
            onChange={(event) => onChange({ id: event.currentTarget.value })}
          />
        )}
        {hasOthers && (
          <Select
            label="Capability"
            allowDeselect={false}
            data={CAPABILITIES}
            value={capability}
            onChange={(chosen) => choose((chosen ?? 'chat') as Capability)}
          />
        )}
        {hasContext(capability) && (
          <LimitNumber
            label="Context in tokens"
            required
            value={values.context_length}
            onChange={(context) => onChange({ context_length: context })}
          />
        )}
      </SimpleGrid>
      <PriceInputs fields={PRICES[capability]} values={values} onChange={onChange} />
      <details>
        <summary>More</summary>
        <Stack mt="sm">
          <TextInput
            label="Display name"
            value={values.name}
            onChange={(event) => onChange({ name: event.currentTarget.value })}
          />
          {capability === 'chat' && (
            <LimitNumber
              label="Most output tokens"
              description="Empty: the context alone limits the output"
              value={values.max_completion_tokens}
              onChange={(output) => onChange({ max_completion_tokens: output })}
            />
          )}
          <TagsInput
            label="Input"
            description="Empty: the usual one"
            data={['audio', 'file', 'image', 'text', 'video']}
            value={[...values.input_modalities]}
            onChange={(input) => onChange({ input_modalities: input })}
          />
          <TagsInput
            label="Parameters"
            description="What requests may set. Empty: the usual ones"
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
          label={`${label}, USD ${unit}`}
          inputMode="decimal"
          autoComplete="off"
          value={prices[name] ?? ''}
          onChange={(event) => onChange({ prices: { ...prices, [name]: event.currentTarget.value } })}
        />
      ))}
    </SimpleGrid>
  );
}
