import { Fieldset, NumberInput, SimpleGrid, Stack, TagsInput, Textarea, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { LimitNumber } from '../../components/call-limit-fields';
import { KeyField } from '../../components/provider-fields';
import type { ChannelValues } from './channel-values';
import { t } from '../../text/translate';

type TextField = 'name' | 'base_url' | 'region' | 'api_version' | 'headers' | 'secret_headers' | 'model_names';

interface ChannelFieldsProps {
  readonly values: ChannelValues;
  readonly onChange: (part: Partial<ChannelValues>) => void;
  readonly keyTexts: { readonly label: string; readonly description?: string; readonly required: boolean };
  /** The names of the stored secret headers. */
  readonly secretHeaders: readonly string[];
  /** A note that is shown below the address. */
  readonly addressNote?: ReactNode;
}

/** The settings of a credential. Rarely used ones are collapsed. */
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
      <TextInput label={t('Name')} maxLength={255} {...text('name')} />
      <KeyField {...keyTexts} value={values.key} onChange={(key) => onChange({ key })} />
      <details>
        <summary>{t('Order, limits and models')}</summary>
        <Stack mt="sm">
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <Whole
              label={t('Priority')}
              description={t('Lower ones are used first')}
              range={[-1000, 1000]}
              value={values.priority}
              onChange={(priority) => onChange({ priority })}
            />
            <Whole
              label={t('Weight')}
              description={t('Share among equal priorities')}
              range={[1, 1000]}
              value={values.weight}
              onChange={(weight) => onChange({ weight })}
            />
          </SimpleGrid>
          <Fieldset legend={t('Limits. Empty: none')}>
            <SimpleGrid cols={{ base: 1, xs: 3 }}>
              <LimitNumber label={t('Requests a minute')} value={values.rpm} onChange={(rpm) => onChange({ rpm })} />
              <LimitNumber label={t('Tokens a minute')} value={values.tpm} onChange={(tpm) => onChange({ tpm })} />
              <LimitNumber
                label={t('Calls at once')}
                value={values.max_concurrent}
                onChange={(calls) => onChange({ max_concurrent: calls })}
              />
            </SimpleGrid>
          </Fieldset>
          <TagsInput
            label={t('Only these models')}
            description={t('Ids such as openai/gpt-5 and openai/*. Empty: every model')}
            value={[...values.allowed_models]}
            onChange={(models) => onChange({ allowed_models: models })}
          />
          <TagsInput
            label={t('Not these models')}
            value={[...values.denied_models]}
            onChange={(models) => onChange({ denied_models: models })}
          />
          <Textarea
            label={t('Names of models at the vendor')}
            description={t('One a line, such as openai/gpt-5 = my-deployment')}
            autosize
            {...text('model_names')}
          />
        </Stack>
      </details>
      <details>
        <summary>{t('Address and headers')}</summary>
        <Stack mt="sm">
          <TextInput
            label={t('Base address')}
            description={t("https, without a query. Leave it empty for the provider's address")}
            inputMode="url"
            {...text('base_url')}
          />
          {addressNote}
          <TextInput
            label={t('Region')}
            description={t('Used for endpoints of this region only')}
            {...text('region')}
          />
          <TextInput label={t('API version')} description={t('Where the vendor takes one')} {...text('api_version')} />
          <Textarea label={t('Headers')} description={t('One a line: name: value')} autosize {...text('headers')} />
          <Textarea
            label={t('Secret headers')}
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
    ? t('As headers, but never shown again')
    : t('Stored: {stored}. Empty: they stay. What is written replaces all of them', { stored: stored.join(', ') });

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
