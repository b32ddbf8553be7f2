import { Injectable, Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { reasonOf } from '../kernel/errors/errors.js';
import { inSlices } from '../kernel/scheduling/slices.js';
import { MaskableSecrets, type InternAndHost } from '../vaults/maskable-secrets.js';
import { SecretMatcher } from './masking/secret-matcher.js';
import { EgressRefusal } from './proxy.errors.js';

/** How long a matcher, which contains opened secrets, stays in memory after its last use. */
const CACHE_TTL_MS = 300_000;
const MAX_CACHED_BYTES = 67_108_864;
const MAX_CACHED = 10_000;
/** Maximum values per intern and host. A larger matcher would take seconds to build, and use hundreds of megabytes. */
const MAX_VALUES = 2_000;
const MAX_VALUE_CHARACTERS = 4_194_304;

interface Kept {
  readonly version: string;
  readonly matcher: Promise<SecretMatcher>;
}

/**
 * The matchers for secrets that a host must not send back to an intern. There is one per intern and host, cached until
 * a vault of the intern changes.
 */
@Injectable()
export class ResponseMasks {
  readonly #log = new Logger('egress');
  readonly #kept = new LRUCache<string, Kept>({
    max: MAX_CACHED,
    maxSize: MAX_CACHED_BYTES,
    ttl: CACHE_TTL_MS,
    updateAgeOnGet: true,
  });

  constructor(private readonly secrets: MaskableSecrets) {}

  /**
   * Throws an EgressRefusal if a secret cannot be opened, if the secrets are too many or too long, or if the database
   * fails. Call this after the secrets were filled into the request. Otherwise a secret that changes between the two
   * steps is not masked.
   */
  async of(pair: InternAndHost): Promise<SecretMatcher> {
    try {
      return await this.#current(pair, await this.secrets.versionOf(pair.internId));
    } catch (error) {
      if (error instanceof EgressRefusal) throw error;
      this.#log.warn(
        `refused a request of intern ${pair.internId} to ${pair.host}: the secrets to mask in the response ` +
          `cannot be opened: ${reasonOf(error)}`,
      );
      throw new EgressRefusal(503, 'The proxy cannot open the secrets that it must mask in the response');
    }
  }

  async #current(pair: InternAndHost, version: string): Promise<SecretMatcher> {
    const key = `${pair.internId} ${pair.host}`;
    const kept = this.#kept.get(key);
    if (kept?.version === version) return kept.matcher;
    const entry: Kept = { version, matcher: this.#make(pair) };
    this.#kept.set(key, entry, { size: 1 });
    try {
      const matcher = await entry.matcher;
      // The cache would not keep an entry that is larger than its maximum size.
      const size = Math.min(1 + matcher.bytes, MAX_CACHED_BYTES);
      if (this.#kept.peek(key) === entry) this.#kept.set(key, entry, { size });
      return matcher;
    } catch (error) {
      if (this.#kept.peek(key) === entry) this.#kept.delete(key);
      throw error;
    }
  }

  async #make(pair: InternAndHost): Promise<SecretMatcher> {
    const values = await this.secrets.valuesFor(pair, MAX_VALUES + 1);
    const characters = values.reduce((sum, value) => sum + value.reveal().length, 0);
    if (values.length > MAX_VALUES || characters > MAX_VALUE_CHARACTERS) {
      throw new EgressRefusal(
        503,
        `The secrets of ${pair.host} cannot be masked: the maximum is ${MAX_VALUES} secrets with ` +
          `${MAX_VALUE_CHARACTERS} characters in total`,
      );
    }
    return inSlices(SecretMatcher.building(values));
  }
}
