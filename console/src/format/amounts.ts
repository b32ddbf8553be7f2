const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const compact = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 });
const cents = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });
const fine = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  minimumFractionDigits: 2,
  maximumFractionDigits: 9,
  maximumSignificantDigits: 4,
});
const percent = new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 1 });

const BYTE_UNITS = ['B', 'kB', 'MB', 'GB'] as const;
/** Absent values, in every column. */
export const ABSENT = '–';

/** USD; amounts below a dollar keep four digits, since calls cost parts of a cent. */
export const usd = (amount: number | null | undefined): string =>
  amount == null ? ABSENT : (amount !== 0 && Math.abs(amount) < 1 ? fine : cents).format(amount);

/** Exact to the nano-dollar. */
export const exactUsd = (amount: number): string =>
  `${amount < 0 ? '-' : ''}$${Math.abs(amount)
    .toFixed(9)
    .replace(/(\.\d\d\d*?)0+$/, '$1')}`;

export const count = (value: number | null | undefined): string => (value == null ? ABSENT : whole.format(value));
export const plural = (value: number, noun: string): string =>
  `${whole.format(value)} ${noun}${value === 1 ? '' : 's'}`;
export const shortCount = (value: number): string => (value < 10_000 ? whole : compact).format(value);
export const share = (value: number | null | undefined): string => (value == null ? ABSENT : percent.format(value));

export function milliseconds(value: number | null | undefined): string {
  if (value == null) return ABSENT;
  return value < 1_000 ? `${whole.format(value)} ms` : `${(value / 1_000).toFixed(2)} s`;
}

export function bytes(size: number): string {
  const unit = Math.min(Math.floor(Math.log10(Math.max(size, 1)) / 3), BYTE_UNITS.length - 1);
  return `${(size / 1_000 ** unit).toFixed(unit === 0 ? 0 : 1)} ${BYTE_UNITS[unit]}`;
}

interface TextPricing {
  readonly prompt: string;
  readonly completion: string;
  readonly input_character?: string;
}

/** Per million tokens; per million characters, with the unit, where they are charged. */
export const promptPrice = ({ prompt, input_character: character }: TextPricing): string =>
  character === undefined ? perMillion(prompt) : `${perMillion(character)} / 1M characters`;

/** Per million tokens; absent where characters of the input are charged. */
export const completionPrice = ({ completion, input_character: character }: TextPricing): string =>
  character === undefined ? perMillion(completion) : ABSENT;

/** A catalogue price per token, as USD per million tokens. */
export function perMillion(price: string | undefined): string {
  const amount = Number(price);
  return price === undefined || Number.isNaN(amount) ? ABSENT : usd(amount * 1_000_000);
}
