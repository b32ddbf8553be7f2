const MAX_VALUE_CHARACTERS = 200;
const CENT = 0.01;
/** Control characters, lone surrogates, and characters that change the direction of text. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]+/gu;

/** Converts text that callers or vendors chose to one line of at most `max` characters. */
export function oneLine(text: string, max = MAX_VALUE_CHARACTERS): string {
  const characters = [
    ...text
      .slice(0, 4 * max)
      .replaceAll(UNPRINTABLE, ' ')
      .trim(),
  ];
  return characters.length > max ? `${characters.slice(0, max - 1).join('')}…` : characters.join('');
}

/** The amount with two decimals; more decimals for an amount below a cent. */
export function usdText(amount: number): string {
  const size = Math.abs(amount);
  const digits = size > 0 && size < CENT ? size.toFixed(9).replace(/0+$/, '') : size.toFixed(2);
  return `${amount < 0 ? '-' : ''}$${digits}`;
}

const TIME = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'long',
  timeStyle: 'short',
  timeZone: 'UTC',
  hourCycle: 'h23',
});

export const timeText = (time: Date): string => `${TIME.format(time)} UTC`;

/** Converts names such as `endpoint_url` and `credential.exhausted` to words. */
export function wordsOf(name: string): string {
  const words = oneLine(name, 100).replaceAll(/[._]+/g, ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The end of the window that starts on this day; undefined = the window never ends or is unknown. */
export function endOfWindow(reset: unknown, start: unknown): Date | undefined {
  if (typeof start !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(start)) return undefined;
  const end = new Date(`${start}T00:00:00Z`);
  if (Number.isNaN(end.getTime())) return undefined;
  if (reset === 'daily') end.setUTCDate(end.getUTCDate() + 1);
  else if (reset === 'weekly') end.setUTCDate(end.getUTCDate() + 7);
  else if (reset === 'monthly') end.setUTCMonth(end.getUTCMonth() + 1, 1);
  else return undefined;
  return end;
}
