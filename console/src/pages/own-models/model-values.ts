import type { OwnModel, OwnModelRequest, OwnPricing } from '../../api/records';
import { t } from '../../text/translate';

export type Capability = OwnModel['capability'];
export type PriceName = keyof OwnPricing;

/** The field of a price. `perMillion`: the price is entered per million units. */
export interface PriceField {
  readonly name: PriceName;
  readonly label: string;
  readonly unit: string;
  readonly perMillion?: boolean;
}

const perMillion = (name: PriceName, label: string, of = t('tokens')): PriceField => ({
  name,
  label,
  unit: t('per 1M {of}', { of }),
  perMillion: true,
});

/** The required and optional prices, by capability. */
export const PRICES: Readonly<Record<Capability, readonly PriceField[]>> = {
  chat: [perMillion('prompt', t('Prompt')), perMillion('completion', t('Completion'))],
  embeddings: [perMillion('prompt', t('Prompt'))],
  image: [{ name: 'image', label: t('Picture'), unit: t('per picture') }],
  speech: [perMillion('input_character', t('Characters'), t('characters'))],
  transcription: [{ name: 'second', label: t('Audio'), unit: t('per second') }],
};
export const OTHER_PRICES: Readonly<Partial<Record<Capability, readonly PriceField[]>>> = {
  chat: [
    perMillion('input_cache_read', t('Read from a cache')),
    perMillion('input_cache_write', t('Written to a cache')),
    perMillion('internal_reasoning', t('Reasoning')),
    { name: 'image', label: t('Picture in a request'), unit: t('each') },
    { name: 'request', label: t('Request'), unit: t('each') },
    { name: 'web_search', label: t('Web search'), unit: t('each') },
  ],
};
export const CAPABILITY_NAMES: Readonly<Record<Capability, string>> = {
  chat: t('Chat'),
  embeddings: t('Embeddings'),
  image: t('Images'),
  speech: t('Speech'),
  transcription: t('Transcription'),
};
const WITH_CONTEXT: readonly Capability[] = ['chat', 'embeddings'];
export const hasContext = (capability: Capability): boolean => WITH_CONTEXT.includes(capability);

export const pricesOf = (capability: Capability): readonly PriceField[] => [
  ...PRICES[capability],
  ...(OTHER_PRICES[capability] ?? []),
];

/** The fields of the form. */
export interface ModelValues {
  readonly id: string;
  readonly upstream: string;
  readonly capability: Capability;
  readonly name: string;
  readonly context_length: number | null;
  readonly max_completion_tokens: number | null;
  /** Empty = the default of the API. */
  readonly input_modalities: readonly string[];
  readonly supported_parameters: readonly string[];
  /** As entered, by name. */
  readonly prices: Readonly<Partial<Record<PriceName, string>>>;
}

export const NEW_MODEL: ModelValues = {
  id: '',
  upstream: '',
  capability: 'chat',
  name: '',
  context_length: null,
  max_completion_tokens: null,
  input_modalities: [],
  supported_parameters: [],
  prices: {},
};

/** The part of the id after the provider's slug. */
export const idOf = ({ id }: OwnModel): string => id.slice(id.indexOf('/') + 1);

export const valuesOf = (model: OwnModel): ModelValues => ({
  id: idOf(model),
  upstream: model.upstream,
  capability: model.capability,
  name: model.name ?? '',
  context_length: model.context_length,
  max_completion_tokens: model.max_completion_tokens,
  input_modalities: model.input_modalities,
  supported_parameters: model.supported_parameters,
  prices: Object.fromEntries(
    pricesOf(model.capability).flatMap(({ name, perMillion: isMillion }) => {
      const price = model.pricing?.[name];
      return price === undefined ? [] : [[name, isMillion ? shifted(price, 6) : price]];
    }),
  ),
});

/** Converts a vendor's name to an id. Characters that ids cannot contain become dashes. */
export const idFrom = (upstream: string): string =>
  upstream
    .slice(upstream.lastIndexOf('/') + 1)
    .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, 128);

export function requestOf(values: ModelValues): OwnModelRequest {
  const { capability, upstream, name, context_length: context, max_completion_tokens: output } = values;
  const { input_modalities: input, supported_parameters: parameters } = values;
  return {
    capability,
    upstream: upstream.trim(),
    name: name.trim() || null,
    ...(hasContext(capability) && context !== null ? { context_length: context } : {}),
    ...(capability === 'chat' ? { max_completion_tokens: output } : {}),
    ...(input.length > 0 ? { input_modalities: [...input] } : {}),
    ...(parameters.length > 0 ? { supported_parameters: [...parameters] } : {}),
    pricing: pricingOf(values),
  };
}

/** Null if no price was entered. The model is then stored, but not served. */
function pricingOf({ capability, prices }: ModelValues): OwnPricing | null {
  const entered = pricesOf(capability).flatMap(({ name, perMillion: isMillion }) => {
    const price = prices[name]?.trim() ?? '';
    return price === '' ? [] : [[name, isMillion ? shifted(price, -6) : shifted(price, 0)] as const];
  });
  return entered.length === 0 ? null : Object.fromEntries(entered);
}

/**
 * Shifts the decimal point of a decimal text, without rounding. A text that is not an amount is returned unchanged, so
 * that the API reports the error.
 */
export function shifted(text: string, places: number): string {
  const amount = /^(\d*)(?:\.(\d*))?$/.exec(text);
  if (!amount || !/\d/.test(text)) return text;
  const [, whole = '', fraction = ''] = amount;
  const padded = `${'0'.repeat(Math.max(0, -places))}${whole}${fraction}${'0'.repeat(Math.max(0, places))}`;
  const point = whole.length + Math.max(0, -places) + places;
  const left = padded.slice(0, point).replace(/^0+(?=\d)/, '') || '0';
  const right = padded.slice(point).replace(/0+$/, '');
  return right === '' ? left : `${left}.${right}`;
}

/** The prices that the capability requires, as text. */
export function priceText({ capability, pricing }: Pick<OwnModel, 'capability' | 'pricing'>): string {
  if (!pricing) return t('No price');
  const fields = PRICES[capability];
  const amounts = fields.map(({ name, perMillion: isMillion }) => shifted(pricing[name] ?? '0', isMillion ? 6 : 0));
  return `$${amounts.join(' / $')} ${fields[0]!.unit}`;
}
