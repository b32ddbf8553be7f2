/** Kinds of interned text in usage records; the numbers are stored. */
export const LABEL_KIND = { model: 1, provider: 2, externalUser: 3, app: 4, origin: 5, finishReason: 6 } as const;
export type LabelKind = keyof typeof LABEL_KIND;
