import { Fieldset, NumberInput, SimpleGrid, Stack, TagsInput, Textarea, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { LimitNumber } from '../../components/call-limit-fields';
import { KeyField } from '../../components/provider-fields';
import type { ChannelValues } from './channel-values';

type TextField = 'name' | 'base_url' | 'region' | 'api_version' | 'headers' | 'secret_headers' | 'model_names';

interface ChannelFieldsProps {
  readonly values: ChannelValues;
  readonly onChange: (part: Partial<ChannelValues>) => void;
  readonly keyTexts: { readonly label: string; readonly description?: string; readonly required: boolean };
  /** The names of the stored secret headers. */
  readonly secretHeaders: readonly string[];
  /** Below the address. */
  readonly addressNote?: ReactNode;
}

/** The settings of a credential. What few need is folded. */
export function ChannelFields({
  values,
  onChange,
  keyTexts,
  secretHeaders,
  addressNote,
}: ChannelFieldsProps): ReactNode {
  const text = (name: TextField) => ({
    value: values[name],
    autoComplete: 'off',
    onChange: (event: { readonly currentTarget: { readonly value: string } }) =>
      onChange({ [name]: event.currentTarget.value }),
  });
  return (
    <>
      <TextInput label="Name" maxLength={255} {...text('name')} />
      <KeyField {...keyTexts} value={values.key} onChange={(key) => onChange({ key })} />
      <details>
        <summary>Order, limits and models</summary>
        <Stack mt="sm">
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <Whole
              label="Priority"
              description="Lower ones are used first"
              range={[-1000, 1000]}
              value={values.priority}
              onChange={(priority) => onChange({ priority })}
            />
            <Whole
              label="Weight"
              description="Share among equal priorities"
              range={[1, 1000]}
              value={values.weight}
              onChange={(weight) => onChange({ weight })}
            />
          </SimpleGrid>
          <Fieldset legend="Limits. Empty: none">
            <SimpleGrid cols={{ base: 1, xs: 3 }}>
              <LimitNumber label="Requests a minute" value={values.rpm} onChange={(rpm) => onChange({ rpm })} />
              <LimitNumber label="Tokens a minute" value={values.tpm} onChange={(tpm) => onChange({ tpm })} />
              <LimitNumber
                label="Calls at once"
                value={values.max_concurrent}
                onChange={(calls) => onChange({ max_concurrent: calls })}
              />
            </SimpleGrid>
          </Fieldset>
          <TagsInput
            label="Only these models"
            description="Ids such as openai/gpt-5 and openai/*. Empty: every model"
            value={[...values.allowed_models]}
            onChange={(models) => onChange({ allowed_models: models })}
          />
          <TagsInput
            label="Not these models"
            value={[...values.denied_models]}
            onChange={(models) => onChange({ denied_models: models })}
          />
          <Textarea
            label="Names of models at the vendor"
            description="One a line, such as openai/gpt-5 = my-deployment"
            autosize
            {...text('model_names')}
          />
        </Stack>
      </details>
      <details>
        <summary>Address and headers</summary>
        <Stack mt="sm">
          <TextInput
            label="Base address"
            description="https, without a query. Leave it empty for the provider's address"
            inputMode="url"
            {...text('base_url')}
          />
          {addressNote}
          <TextInput label="Region" description="Used for endpoints of this region only" {...text('region')} />
          <TextInput label="API version" description="Where the vendor takes one" {...text('api_version')} />
          <Textarea label="Headers" description="One a line: name: value" autosize {...text('headers')} />
          <Textarea
            label="Secret headers"
            description={secretDescription(secretHeaders)}
            autosize
            {...text('secret_headers')}
          />
        </Stack>
      </details>
    </>
  );
}

const secretDescription = (stored: readonly string[]): string =>
  stored.length === 0
    ? 'As headers, but never shown again'
    : `Stored: ${stored.join(', ')}. Empty: they stay. What is written replaces all of them`;

interface WholeProps {
  readonly label: string;
  readonly description: string;
  readonly range: readonly [min: number, max: number];
  readonly value: number;
  readonly onChange: (value: number) => void;
}

function Whole({ range: [min, max], onChange, ...field }: WholeProps): ReactNode {
  return (
    <NumberInput
      {...field}
      min={min}
      max={max}
      allowDecimal={false}
      onChange={(changed) => changed !== '' && onChange(Number(changed))}
    />
  );
}
