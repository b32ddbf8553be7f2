import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { atMostEntries } from '../kernel/cache-options.js';
import type { GatewayError } from '../kernel/errors/errors.js';
import { restOfFailure, type FailureRest, type RestReason } from './rest-of-failure.js';

/** The properties of a credential on which its rests depend. The credential is the platform's or a caller's. */
export interface RestingCredential {
  readonly id: string;
  readonly version: string;
  /**
   * Whether the operator stored the credential. Other credentials are excluded only for the time that the vendor
   * requested.
   */
  readonly isStored: boolean;
}

/** A period in which a credential is not used. */
export interface Rest {
  readonly reason: RestReason;
  /** Unix milliseconds. */
  readonly until: number;
  /** Whether the credential is excluded. If not, it is used after the other credentials of its endpoint. */
  readonly isFirm: boolean;
}

/** A rest that other replicas are notified of. */
export interface SpreadRest extends Rest {
  readonly id: string;
  readonly version: string;
  /** The vendor's name of the model; null = every model. */
  readonly model: string | null;
}

/** `status`: the HTTP status of the vendor's response. */
type RestListener = (rest: SpreadRest, credential: RestingCredential, status: number | undefined) => void;

/** Maximum number of pairs of credential and model. It is limited, because callers choose the names of models. */
const MAX_PAIRS = 20_000;
const FIRST_BACKOFF_MS = 5_000;
const MAX_BACKOFF_MS = 300_000;
/** How long other calls do not use a credential that is being probed. */
const PROBE_MS = 60_000;
/** If a rest is extended by less than this, other replicas are not notified. */
const MIN_NEWS_MS = 1_000;

/**
 * Periods in which credentials are not used, because of vendors' responses or the credentials' own limits. They are
 * kept in the memory of this process. Other replicas are notified of the rests that vendors' responses cause, but a
 * notification may be lost.
 */
@Injectable()
export class CredentialRests {
  /** Rests for all models, by version. */
  readonly #whole = new LRUCache<string, Rest>(atMostEntries(MAX_PAIRS));
  /** Rests for one model, by version and model. */
  readonly #ofModel = new LRUCache<string, Rest>(atMostEntries(MAX_PAIRS));
  /** The next wait after a response that states no wait, by version and model. */
  readonly #backoffMs = new LRUCache<string, number>(atMostEntries(MAX_PAIRS));
  readonly #listeners: RestListener[] = [];
  /**
   * The end of the last rest of each version, in Unix milliseconds; undefined = the rests have changed since the map
   * was computed.
   */
  #lastEnds: ReadonlyMap<string, number> | undefined;

  /** Calls the listener for each rest that begins in this process because of a vendor's response. */
  onRest(listener: RestListener): void {
    this.#listeners.push(listener);
  }

  /** Ends every rest. */
  clear(): void {
    for (const store of [this.#whole, this.#ofModel, this.#backoffMs]) store.clear();
    this.#lastEnds = undefined;
  }

  /** True if no rest is stored. This is the usual state, so most calls need no lookup. */
  get isEmpty(): boolean {
    return this.#whole.size === 0 && this.#ofModel.size === 0;
  }

  /**
   * The current rest of a credential for a model of its vendor, if any; of two rests, the one that ends later. Without
   * `model`, only rests for all models are considered.
   */
  of({ version }: Pick<RestingCredential, 'version'>, model?: string): Rest | undefined {
    if (this.isEmpty) return undefined;
    const now = Date.now();
    const rests = [
      this.#whole.get(version),
      model === undefined ? undefined : this.#ofModel.get(pairOf(version, model)),
    ].filter((rest): rest is Rest => rest !== undefined && rest.until > now);
    return rests.length < 2 ? rests[0] : rests[0]!.until > rests[1]!.until ? rests[0] : rests[1];
  }

  /**
   * The reason of the credential's last rest for all models, even if the rest has ended. `refused` and `exhausted` are
   * removed when the credential serves a call again.
   */
  lasting({ version }: Pick<RestingCredential, 'version'>): RestReason | undefined {
    return this.#whole.get(version)?.reason;
  }

  /** When the last rest of a credential ends, in Unix milliseconds; undefined = the credential does not rest. */
  latestUntil(version: string): number | undefined {
    const end = (this.#lastEnds ??= this.#readLastEnds()).get(version);
    return end !== undefined && end > Date.now() ? end : undefined;
  }

  #readLastEnds(): ReadonlyMap<string, number> {
    const ends = new Map<string, number>();
    for (const [key, { until }] of this.#current()) {
      const version = versionIn(key);
      ends.set(version, Math.max(until, ends.get(version) ?? until));
    }
    return ends;
  }

  /** How many credentials rest now, by reason. */
  counts(): ReadonlyMap<RestReason, number> {
    const versions = new Map<RestReason, Set<string>>();
    for (const [key, { reason }] of this.#current()) {
      const found = versions.get(reason) ?? new Set();
      versions.set(reason, found.add(versionIn(key)));
    }
    return new Map([...versions].map(([reason, { size }]) => [reason, size]));
  }

  #current(): [string, Rest][] {
    const now = Date.now();
    return [...this.#whole.entries(), ...this.#ofModel.entries()].filter(([, { until }]) => until > now);
  }

  /**
   * Records that a call with the credential has failed. Begins and returns a rest if the failure depends on the
   * credential; otherwise returns undefined. `model`: the vendor's name of the model.
   */
  failed(credential: RestingCredential, model: string, error: unknown): FailureRest | undefined {
    const failure = restOfFailure(error, Date.now());
    if (!failure) return undefined;
    const { reason, isOfModel } = failure;
    const ms = failure.ms ?? this.#grownBackoff(pairOf(credential.version, model));
    const isNamed = reason === 'rate_limited' && failure.ms !== undefined;
    const isFirm = credential.isStored || isNamed;
    const { vendorStatus } = error as GatewayError;
    this.#begin(credential, isOfModel ? model : null, { reason, until: Date.now() + ms, isFirm }, vendorStatus);
    return failure;
  }

  /**
   * Records that one of the credential's own limits has been reached. Returns the rest. `ms`: the length of the rest.
   */
  capped(credential: RestingCredential, ms: number): Rest {
    const rest: Rest = { reason: 'cap', until: Date.now() + ms, isFirm: true };
    this.#begin(credential, null, rest);
    return rest;
  }

  /**
   * Records that the credential has served a call or a test. Returns whether the credential had been found refused or
   * exhausted.
   */
  succeeded({ version }: Pick<RestingCredential, 'version'>, model: string | undefined): boolean {
    const reason = this.#whole.size === 0 ? undefined : this.#whole.get(version)?.reason;
    const hadFailed = reason !== undefined && reason !== 'cap';
    if (hadFailed) {
      this.#whole.delete(version);
      this.#lastEnds = undefined;
    }
    if (model !== undefined && this.#backoffMs.size > 0) {
      const pair = pairOf(version, model);
      const next = (this.#backoffMs.get(pair) ?? 0) / 2;
      if (next > FIRST_BACKOFF_MS) this.#backoffMs.set(pair, next);
      else this.#backoffMs.delete(pair);
    }
    return hadFailed;
  }

  /**
   * Call it before each call with the credential. If the rest of a refused credential has ended, the call is a probe,
   * and other calls do not use the credential for PROBE_MS.
   */
  probe(credential: RestingCredential): void {
    const rest = this.#whole.size === 0 ? undefined : this.#whole.get(credential.version);
    if (rest?.reason !== 'refused' || !rest.isFirm || rest.until > Date.now()) return;
    this.#whole.set(credential.version, { ...rest, until: Date.now() + PROBE_MS });
    this.#lastEnds = undefined;
  }

  /** Stores a rest without calling listeners, for example a rest that began on another replica. */
  learn({ version, model, ...rest }: SpreadRest): void {
    if (model === null) this.#whole.set(version, rest);
    else this.#ofModel.set(pairOf(version, model), rest);
    this.#lastEnds = undefined;
  }

  #begin(credential: RestingCredential, model: string | null, rest: Rest, status?: number): void {
    const { id, version } = credential;
    const known = model === null ? this.#whole.get(version) : this.#ofModel.get(pairOf(version, model));
    const spread = { id, version, model, ...rest };
    this.learn(spread);
    // Listeners are not called for a limit of the credential, or for a rest that a concurrent call has already started.
    if (rest.reason === 'cap') return;
    if (known?.reason === rest.reason && rest.until - known.until < MIN_NEWS_MS) return;
    for (const listener of this.#listeners) listener(spread, credential, status);
  }

  #grownBackoff(pair: string): number {
    const ms = this.#backoffMs.get(pair) ?? FIRST_BACKOFF_MS;
    this.#backoffMs.set(pair, Math.min(MAX_BACKOFF_MS, ms * 2));
    return ms;
  }
}

const pairOf = (version: string, model: string): string => `${version}\0${model}`;

/** The version in the key of a rest. */
const versionIn = (key: string): string => key.split('\0', 1)[0]!;
