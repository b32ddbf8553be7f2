import { Injectable } from '@nestjs/common';
import type { JSONWebKeySet } from 'jose';
import { LRUCache } from 'lru-cache';
import { atMostEntries } from '../kernel/cache-options.js';
import { Clock } from '../kernel/clock.js';
import { GatewayError } from '../kernel/errors/errors.js';
import { IssuerDocuments } from './issuer-documents.port.js';
import { invalidGrant } from './token-refusal.js';

const FETCH_TIMEOUT_MS = 5_000;
/** Minimum time between the starts of two fetches from one issuer, whether they succeed or fail. */
const MIN_INTERVAL_MS = 60_000;
/** The maximum age of fetched keys. Older keys are fetched again, even if they include the requested key. */
const MAX_AGE_MS = 600_000;
const MAX_ISSUERS = 1_000;
const MAX_KEYS = 100;

/** The location of an issuer's keys. */
interface KeySource {
  readonly issuer: string;
  /** Null: the issuer's metadata has the address (OpenID Connect Discovery). */
  readonly jwksUrl: string | null;
}

interface Fetched {
  readonly at: number;
  readonly keys: Promise<JSONWebKeySet>;
}

/** The public keys of issuers. */
@Injectable()
export class IssuerKeys {
  readonly #fetched = new LRUCache<string, Fetched>(atMostEntries(MAX_ISSUERS));

  constructor(
    private readonly documents: IssuerDocuments,
    private readonly clock: Clock,
  ) {}

  /**
   * Returns the issuer's keys. They are fetched again if they are too old or do not include the key with the id `kid`,
   * but at most once a minute. If the issuer is unavailable, earlier keys are returned. Throws a TokenRefusal or
   * `unavailable`. A failure is cached for a minute.
   */
  async keysOf(source: KeySource, kid: string | undefined): Promise<JSONWebKeySet> {
    const id = JSON.stringify([source.issuer, source.jwksUrl]);
    const now = this.clock.now().getTime();
    const last = this.#fetched.get(id);
    const age = last ? now - last.at : Infinity;
    if (last && (age < MIN_INTERVAL_MS || (age < MAX_AGE_MS && (await has(last.keys, kid))))) return last.keys;
    // Another request may have started a fetch while this one looked for the key.
    const latest = this.#fetched.get(id);
    if (latest && latest !== last) return latest.keys;
    const keys = this.#fetch(source).catch((error: unknown) => {
      if (last && error instanceof GatewayError && error.kind === 'unavailable') return last.keys;
      throw error;
    });
    keys.catch(() => undefined);
    this.#fetched.set(id, { at: now, keys });
    return keys;
  }

  async #fetch({ issuer, jwksUrl }: KeySource): Promise<JSONWebKeySet> {
    const signal = AbortSignal.timeout(FETCH_TIMEOUT_MS);
    const { keys } = await this.documents.fetch(jwksUrl ?? (await this.#discover(issuer, signal)), signal);
    if (!Array.isArray(keys) || keys.length > MAX_KEYS || !keys.every(isKey))
      throw invalidGrant('The issuer sent a document that is not a set of keys (JWKS)');
    return { keys };
  }

  async #discover(issuer: string, signal: AbortSignal): Promise<string> {
    const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
    const { issuer: named, jwks_uri: jwksUrl } = await this.documents.fetch(url, signal);
    if (named !== issuer) throw invalidGrant('The metadata of the issuer belongs to another issuer');
    if (typeof jwksUrl !== 'string') throw invalidGrant('The metadata of the issuer has no jwks_uri');
    return jwksUrl;
  }
}

const isKey = (value: unknown): value is JSONWebKeySet['keys'][number] =>
  typeof value === 'object' && value !== null && typeof (value as { kty?: unknown }).kty === 'string';

/** Whether a fetch succeeded and returned a key with this id, or any keys if `kid` is undefined. */
async function has(fetched: Promise<JSONWebKeySet>, kid: string | undefined): Promise<boolean> {
  const set = await fetched.catch(() => undefined);
  return set !== undefined && (kid === undefined || set.keys.some((key) => key.kid === kid));
}
