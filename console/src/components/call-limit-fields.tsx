import { Fieldset, NumberInput, SimpleGrid, TagsInput } from '@mantine/core';
import type { ReactNode } from 'react';
import type { CallLimits, CallLimitSettings } from '../api/records';
import { t } from '../text/translate';

const NO_LIMITS: CallLimits = { requests_per_minute: null, tokens_per_minute: null, max_concurrent: null };
const LABELS: readonly (readonly [keyof CallLimits, string])[] = [
  ['requests_per_minute', t('Requests a minute')],
  ['tokens_per_minute', t('Tokens a minute')],
  ['max_concurrent', t('Calls at once')],
];

interface LimitNumberProps {
  readonly label: string;
  readonly description?: string;
  readonly required?: boolean;
  readonly value: number | null;
  readonly onChange: (value: number | null) => void;
}

/** A whole number from 1; empty = no limit. */
export function LimitNumber({ value, onChange, ...texts }: LimitNumberProps): ReactNode {
  return (
    <NumberInput
      {...texts}
      min={1}
      allowDecimal={false}
      value={value ?? ''}
      onChange={(changed) => onChange(changed === '' ? null : Number(changed))}
    />
  );
}

interface LimitGroupProps {
  readonly legend: string;
  readonly limits: CallLimits;
  readonly onChange: (limits: CallLimits) => void;
}

function LimitGroup({ legend, limits, onChange }: LimitGroupProps): ReactNode {
  return (
    <Fieldset legend={legend}>
      <SimpleGrid cols={{ base: 1, xs: 3 }}>
        {LABELS.map(([name, label]) => (
          <LimitNumber
            key={name}
            label={label}
            value={limits[name]}
            onChange={(value) => onChange({ ...limits, [name]: value })}
          />
        ))}
      </SimpleGrid>
    </Fieldset>
  );
}

interface CallLimitFieldsProps {
  readonly values: CallLimitSettings;
  readonly onChange: (part: Partial<CallLimitSettings>) => void;
}

/** The limits of calls that keys and workspaces have. */
export function CallLimitFields({ values, onChange }: CallLimitFieldsProps): ReactNode {
  const models = values.models ?? {};
  const named = (ids: readonly string[]): CallLimitSettings['models'] =>
    Object.fromEntries(ids.map((id) => [id, models[id] ?? NO_LIMITS]));
  return (
    <>
      <LimitNumber
        label={t('Tokens a minute')}
        description={t('Of prompts and responses. Empty: no limit')}
        value={values.tokens_per_minute}
        onChange={(tokens) => onChange({ tokens_per_minute: tokens })}
      />
      <LimitNumber
        label={t('Calls at once')}
        description={t('Empty: no limit')}
        value={values.max_concurrent}
        onChange={(calls) => onChange({ max_concurrent: calls })}
      />
      <LimitGroup
        legend={t('Each end user')}
        limits={values.each_end_user ?? NO_LIMITS}
        onChange={(limits) => onChange({ each_end_user: limits })}
      />
      <TagsInput
        label={t('Models with limits of their own')}
        description={t('Ids such as openai/gpt-5')}
        value={Object.keys(models)}
        onChange={(ids) => onChange({ models: named(ids) })}
      />
      {Object.entries(models).map(([id, limits]) => (
        <LimitGroup
          key={id}
          legend={id}
          limits={limits}
          onChange={(changed) => onChange({ models: { ...models, [id]: changed } })}
        />
      ))}
    </>
  );
}
