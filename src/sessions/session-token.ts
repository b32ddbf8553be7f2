import { hash, randomBytes } from 'node:crypto';

const TOKEN_BYTES = 32;
const CODE_BYTES = 16;

/** A new random token for a browser or a link: 256 bits. */
export const newSessionToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url');

/** A new one-time code: 128 random bits. */
export const newConsoleCode = (): string => randomBytes(CODE_BYTES).toString('base64url');

/** The stored form of a token or a code: SHA-256, 64 lowercase hex characters. */
export const hashOfToken = (token: string): string => hash('sha256', token, 'hex');
