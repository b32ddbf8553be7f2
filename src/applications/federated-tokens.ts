import { Injectable } from '@nestjs/common';
import { decodeProtectedHeader, jwtVerify, SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';
import { randomUUID } from 'node:crypto';
import { AccessTokens } from '../auth/access-tokens.port.js';
import { Config } from '../config/config.js';
import { LoadingCache } from '../database/loading-cache.js';
import { Notifications } from '../database/notifications.js';
import { Sql } from '../database/sql.js';
import { atMostEntries } from '../kernel/cache-options.js';
import { Clock } from '../kernel/clock.js';
import { isUuid } from '../kernel/ids.js';
import { SIGNING_ALGORITHM, SigningKeys } from './signing-keys.js';

const POLICY_CHANGED = 'federation_policy_changed';
const MAX_REMEMBERED_TOKENS = 10_000;
const MAX_CACHED_POLICIES = 5_000;
/**
 * The maximum age of a cached policy. Even without a notification, every replica refuses a disabled policy within 5 s,
 * which includes the time of the query.
 */
const MAX_CACHE_AGE_MS = 4_000;
export const TOKEN_SCOPE = 'inference';
const TOKEN_TYPE = 'at+jwt';

/** The content of an access token. */
interface TokenContent {
  readonly policyId: string;
  readonly keyHash: string;
  /** The public URL of the service. */
  readonly origin: string;
  /** Seconds since 1970. */
  readonly expiresAtS: number;
}

interface Verified {
  readonly policyId: string;
  readonly expiresAtMs: number;
}

/** The key that a policy acts as; null if the policy was deleted or is disabled. */
interface PolicyKey {
  readonly hash: string | null;
}

/**
 * Issues access tokens and finds their keys. A token acts as the key of its policy. A token is verified on its first
 * use and then cached under the SHA-256 of its whole text. A cached token is refused after it has expired.
 */
@Injectable()
export class FederatedTokens extends AccessTokens {
  readonly #verified = new LRUCache<string, Verified>(atMostEntries(MAX_REMEMBERED_TOKENS));
  readonly #policies: LoadingCache<PolicyKey>;

  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
    private readonly signing: SigningKeys,
    private readonly config: Config,
    notifications: Notifications,
  ) {
    super();
    const store = new LRUCache<string, PolicyKey>({ ...atMostEntries(MAX_CACHED_POLICIES), ttl: MAX_CACHE_AGE_MS });
    this.#policies = new LoadingCache<PolicyKey>(store, (id) => this.#readPolicy(id));
    this.#policies.invalidateOn(notifications, POLICY_CHANGED);
  }

  async issue({ policyId, keyHash, origin, expiresAtS }: TokenContent): Promise<string> {
    const { kid, key } = await this.signing.signer();
    // `client_id`: RFC 8693, section 4.3.
    return new SignJWT({ client_id: policyId, scope: TOKEN_SCOPE })
      .setProtectedHeader({ alg: SIGNING_ALGORITHM, kid, typ: TOKEN_TYPE })
      .setIssuer(origin)
      .setSubject(keyHash)
      .setAudience(origin)
      .setJti(randomUUID())
      .setIssuedAt(this.clock.now())
      .setExpirationTime(expiresAtS)
      .sign(key);
  }

  keyOf(token: string, hash: string): string | null | Promise<string | null> {
    const verified = this.#verified.get(hash);
    return verified ? this.#keyOfPolicy(verified) : this.#verify(token, hash);
  }

  isVerified(hash: string): boolean {
    return this.#verified.has(hash);
  }

  async #verify(token: string, hash: string): Promise<string | null> {
    const verified = await this.#verifiedContent(token);
    if (!verified) return null;
    this.#verified.set(hash, verified);
    return this.#keyOfPolicy(verified);
  }

  #keyOfPolicy({ policyId, expiresAtMs }: Verified): string | null | Promise<string | null> {
    if (expiresAtMs <= this.clock.now().getTime()) return null;
    const policy = this.#policies.get(policyId);
    return policy instanceof Promise ? policy.then((found) => found.hash) : policy.hash;
  }

  async #verifiedContent(token: string): Promise<Verified | null> {
    const key = await this.#keyThatSigned(token);
    if (!key) return null;
    const options = { algorithms: [SIGNING_ALGORITHM], typ: TOKEN_TYPE, currentDate: this.clock.now() };
    const result = await jwtVerify(token, key, { ...options, requiredClaims: ['exp'] }).catch(() => null);
    if (!result) return null;
    const { iss, aud, exp, client_id: policyId } = result.payload;
    const { PUBLIC_BASE_URL = iss } = this.config.values;
    if (iss !== aud || iss !== PUBLIC_BASE_URL || typeof policyId !== 'string' || !isUuid(policyId)) return null;
    return { policyId, expiresAtMs: exp! * 1_000 };
  }

  async #keyThatSigned(token: string): ReturnType<SigningKeys['publicKey']> {
    let kid: string | undefined;
    try {
      ({ kid } = decodeProtectedHeader(token));
    } catch {
      return null;
    }
    return typeof kid === 'string' && KID.test(kid) ? this.signing.publicKey(kid) : null;
  }

  async #readPolicy(id: string): Promise<PolicyKey> {
    const [row] = await this.sql.query<{ hash: string }>(
      `select k.hash from federation_policy p join api_key k on k.no = p.key_no
       where p.id = $1 and not p.disabled`,
      [id],
    );
    return { hash: row?.hash ?? null };
  }
}

/** The form of a key id, which is the thumbprint of the key: SHA-256 in base64url. */
const KID = /^[\w-]{43}$/;
