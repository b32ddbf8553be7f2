import { createHmac, randomBytes } from 'node:crypto';
import type { AttemptSecrets } from './identity-provider.port.js';

const SECRET_BYTES = 32;

/** 256 random bits: a state, or the token in the cookie of an attempt. */
export const newAttemptToken = (): string => randomBytes(SECRET_BYTES).toString('base64url');

/** Nonce and verifier follow from the token in the browser's cookie, so that the database does not have them. */
export const secretsOf = (state: string, browserToken: string): AttemptSecrets => ({
  state,
  nonce: derived(browserToken, 'nonce', state),
  verifier: derived(browserToken, 'verifier', state),
});

const derived = (browserToken: string, use: string, state: string): string =>
  createHmac('sha256', browserToken).update(`${use}:${state}`).digest('base64url');
