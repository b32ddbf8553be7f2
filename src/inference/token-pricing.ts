import type { CatalogueEndpoint } from '../catalogue/catalogue-model.js';

/** Whether what a call costs follows from the tokens that the vendor counts. */
export const isPricedByTokens = (endpoint: CatalogueEndpoint): boolean =>
  endpoint.pricing.some((line) => line.unit === 'token');

/** Tokens that vendors add to a prompt: its frame, and some for every picture. */
const FRAME_TOKENS = 64;

/** More tokens than a text can have: none is shorter than a byte. */
export const mostTokensOf = (text: string): number => Buffer.byteLength(text) + FRAME_TOKENS;
