import { t } from '../text/translate';

/** Formats numbers in the reader's locale, independent of the language of the texts. */
const numbers = (options: Intl.NumberFormatOptions): Intl.NumberFormat => new Intl.NumberFormat(undefined, options);
const dollars = (options: Intl.NumberFormatOptions): Intl.NumberFormat =>
  numbers({ style: 'currency', currency: 'USD', currencyDisplay: 'narrowSymbol', ...options });

const whole = numbers({ maximumFractionDigits: 0 });
const tenths = numbers({ minimumFractionDigits: 1, maximumFractionDigits: 1 });
const hundredths = numbers({ minimumFractionDigits: 2, maximumFractionDigits: 2 });
const compact = numbers({ notation: 'compact', maximumFractionDigits: 1 });
const percent = numbers({ style: 'percent', maximumFractionDigits: 1 });
const cents = dollars({});
const nanos = dollars({ maximumFractionDigits: 9 });
const fine = dollars({ maximumSignificantDigits: 4 });

const BYTE_UNITS = ['B', 'kB', 'MB', 'GB'] as const;
/** The text for absent values, in every column. */
export const ABSENT = '–';

const isWholeCents = (amount: number): boolean => Math.abs(amount * 100 - Math.round(amount * 100)) < 1e-8;

/** USD. Amounts below a dollar keep four digits, because calls cost parts of a cent. */
export const usd = (amount: number | null | undefined): string =>
  amount == null ? ABSENT : (Math.abs(amount) >= 1 || isWholeCents(amount) ? cents : fine).format(amount);

/** USD with all digits, down to the nano-dollar. */
export const exactUsd = (amount: number): string => nanos.format(amount);

/** The price of a call on an own credential, which the provider bills instead of this service. */
export const ownPriceWords = (
  cost: number,
  { total, provider }: { readonly total: number; readonly provider: string | null },
  nameOfProvider: (slug: string) => string,
): string =>
  t('{cost} here, about {total} at {provider}', {
    cost: usd(cost),
    total: usd(total),
    provider: provider === null ? t('the provider') : nameOfProvider(provider),
  });

export const count = (value: number | null | undefined): string => (value == null ? ABSENT : whole.format(value));
export const shortCount = (value: number): string => (value < 10_000 ? whole : compact).format(value);
export const share = (value: number | null | undefined): string => (value == null ? ABSENT : percent.format(value));

/** Tokens per second. */
export const speed = (value: number): string => t('{value} tokens/s', { value: tenths.format(value) });

export function milliseconds(value: number | null | undefined): string {
  if (value == null) return ABSENT;
  return value < 1_000
    ? t('{value} ms', { value: whole.format(value) })
    : t('{value} s', { value: hundredths.format(value / 1_000) });
}

export function bytes(size: number): string {
  const unit = Math.min(Math.floor(Math.log10(Math.max(size, 1)) / 3), BYTE_UNITS.length - 1);
  return `${(unit === 0 ? whole : tenths).format(size / 1_000 ** unit)} ${BYTE_UNITS[unit]}`;
}

/** A share in percent, with one digit. */
export const percentage = (value: number | null): string =>
  value === null ? ABSENT : t('{value} %', { value: tenths.format(value) });

interface TextPricing {
  readonly prompt: string;
  readonly completion: string;
  readonly input_character?: string;
}

/** Per million tokens. If characters are charged, per million characters, with the unit. */
export const promptPrice = ({ prompt, input_character: character }: TextPricing): string =>
  character === undefined ? perMillion(prompt) : t('{price} / 1M characters', { price: perMillion(character) });

/** Per million tokens; absent if characters of the input are charged. */
export const completionPrice = ({ completion, input_character: character }: TextPricing): string =>
  character === undefined ? perMillion(completion) : ABSENT;

/** A catalogue price per token, as USD per million tokens. */
export function perMillion(price: string | undefined): string {
  const amount = Number(price);
  return price === undefined || Number.isNaN(amount) ? ABSENT : usd(amount * 1_000_000);
}
