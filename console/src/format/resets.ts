import { t } from '../text/translate';

const RESETS = ['daily', 'weekly', 'monthly'] as const;

export type Reset = (typeof RESETS)[number];

const WORDS: Readonly<Record<Reset, string>> = { daily: t('daily'), weekly: t('weekly'), monthly: t('monthly') };
/** The value of a form for "no reset". */
export const NO_RESET = 'never';

export const resetWord = (reset: Reset | null | undefined): string => (reset ? WORDS[reset] : '');
export const RESET_CHOICES = [
  { value: NO_RESET, label: t('never') },
  ...RESETS.map((value) => ({ value, label: WORDS[value] })),
];
export const resetOf = (choice: string | null): Reset | null => RESETS.find((reset) => reset === choice) ?? null;
