const RESETS = ['daily', 'weekly', 'monthly'] as const;

export type Reset = (typeof RESETS)[number];

/** The choices of a form; the first stands for no reset. */
export const RESET_CHOICES = ['never', ...RESETS];
export const resetOf = (choice: string | null): Reset | null => RESETS.find((reset) => reset === choice) ?? null;
