import { createHmac } from 'node:crypto';
import type { AttemptSecrets } from './identity-provider.port.js';

/** Derives nonce and verifier from the token in the browser's cookie, so that the database does not contain them. */
export const secretsOf = (state: string, browserToken: string): AttemptSecrets => ({
  state,
  nonce: derived(browserToken, 'nonce', state),
  verifier: derived(browserToken, 'verifier', state),
});

const derived = (browserToken: string, use: string, state: string): string =>
  createHmac('sha256', browserToken).update(`${use}:${state}`).digest('base64url');
