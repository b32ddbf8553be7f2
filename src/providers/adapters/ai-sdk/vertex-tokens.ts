import { createHash, createSign } from 'node:crypto';
import { faultOfStatus } from '../../wire/vendor-fault.js';
import { badResponse } from '../../../formats/bad-response.js';

const TOKEN_URL = 'https://oauth2.googleapis.com/token';
const SCOPE = 'https://www.googleapis.com/auth/cloud-platform';
const LIFETIME_S = 3_600;
/** A token is not used during this last part of its lifetime. */
const MARGIN_MS = 300_000;
const MAX_CACHED_TOKENS = 1_000;

export interface ServiceAccount {
  readonly clientEmail: string;
  readonly privateKey: string;
}

/** Exchanges a signed assertion for an access token. Throws GatewayError. */
type ExchangeAssertion = (assertion: string, fetch: typeof globalThis.fetch) => Promise<string>;

/** Access tokens of service accounts, each kept until it is about to expire. */
export class VertexTokens {
  readonly #cached = new Map<string, { readonly token: string; readonly usableUntil: number }>();

  constructor(private readonly exchange: ExchangeAssertion = exchangeAssertion) {}

  async tokenOf(account: ServiceAccount, fetch: typeof globalThis.fetch): Promise<string> {
    const key = createHash('sha256')
      .update(JSON.stringify([account.clientEmail, account.privateKey]))
      .digest('hex');
    const now = Date.now();
    const cached = this.#cached.get(key);
    if (cached && cached.usableUntil > now) return cached.token;
    const token = await this.exchange(assertionOf(account, Math.floor(now / 1000)), fetch);
    if (this.#cached.size >= MAX_CACHED_TOKENS) this.#cached.clear();
    this.#cached.set(key, { token, usableUntil: now + LIFETIME_S * 1000 - MARGIN_MS });
    return token;
  }
}

function assertionOf({ clientEmail, privateKey }: ServiceAccount, now: number): string {
  const claims = { iss: clientEmail, scope: SCOPE, aud: TOKEN_URL, iat: now, exp: now + LIFETIME_S };
  const encoded = [{ alg: 'RS256', typ: 'JWT' }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  const signature = createSign('RSA-SHA256').update(encoded).sign(privateKey.replaceAll('\\n', '\n'), 'base64url');
  return `${encoded}.${signature}`;
}

async function exchangeAssertion(assertion: string, fetch: typeof globalThis.fetch): Promise<string> {
  const post = fetch.bind(undefined);
  const response = await post(TOKEN_URL, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion }).toString(),
  });
  // Any 4xx means that the vendor refused the assertion, and with it the credential.
  if (!response.ok) throw faultOfStatus(response.status < 500 ? 401 : response.status);
  const { access_token: token } = (await response.json()) as { access_token?: unknown };
  if (typeof token !== 'string') throw badResponse('holds no access token');
  return token;
}
