import { Injectable, Logger } from '@nestjs/common';
import { Config } from '../config/config.js';
import { Notifications } from '../database/notifications.js';
import type { CallerPlace } from '../kernel/caller-place.js';
import { isUuid } from '../kernel/ids.js';
import type { Principal } from '../kernel/principal.js';
import type { SecretValue } from '../kernel/secret-value.js';
import type { ChannelCall } from '../providers/ports/endpoint-call.js';
import { ENVIRONMENT_PREFIX, environmentChannel, providerOfVersion, type Channel } from './channel.js';
import { CredentialRests } from './credential-rests.js';
import { LastingStates, type LastingState } from './lasting-states.js';
import type { CredentialName, PlatformCredentialRow } from './platform-credential-rows.js';
import { PlatformCredentials } from './platform-credentials.js';
import { labelOfCredential } from '../secrets/credential-label.js';

/** Without notifications from the database, a change takes effect on every replica within this time. */
const MAX_AGE_MS = 4_000;
/** The pause after a failed read, in which the cached credentials stay in use. */
const RETRY_MS = 1_000;

const NONE: readonly Channel[] = [];

/** A channel with its row, which contains the sealed secrets. */
interface StoredChannel extends Channel {
  readonly row: PlatformCredentialRow;
}

/** The secret of a channel, and the channel's settings for a call. */
export interface OpenedChannel {
  readonly secret: SecretValue | null;
  readonly call?: ChannelCall;
}

/** All credentials of the platform, cached in memory: from the environment, and the enabled rows of the database. */
@Injectable()
export class ChannelDirectory {
  readonly #log = new Logger(ChannelDirectory.name);
  readonly #environment = new Map<string, readonly Channel[]>();
  /** All credentials by provider. Providers without a stored credential are missing. */
  #stored = new Map<string, readonly Channel[]>();
  #freshUntil = 0;
  #reading: Promise<void> | undefined;
  /** Finds the id of a model by one of its names; undefined if no model has the name. */
  #idOf: (name: string) => string | undefined = () => undefined;
  /** Set by `invalidate`. If it is set during a read, the next `refresh` reads again. */
  #isStale = false;

  constructor(
    private readonly config: Config,
    private readonly credentials: PlatformCredentials,
    private readonly rests: CredentialRests,
    private readonly states: LastingStates,
    notifications: Notifications,
  ) {
    notifications.on('platform_credential_changed', () => this.invalidate());
    notifications.onGap(() => this.invalidate());
  }

  /** Makes the next `refresh` read the rows again. */
  invalidate(): void {
    this.#freshUntil = 0;
    this.#isStale = true;
  }

  /**
   * Sets the function that finds the id of a model by one of its names. `modelNames` may contain such names. This room
   * cannot resolve them, because it does not import the catalogue.
   */
  nameModelsBy(idOf: (name: string) => string | undefined): void {
    this.#idOf = idOf;
    this.invalidate();
  }

  /** Reads the rows again; undefined while the cached rows are fresh. Await the result before you call `of`. */
  refresh(): Promise<void> | undefined {
    if (performance.now() < this.#freshUntil) return undefined;
    return (this.#reading ??= this.#read().finally(() => (this.#reading = undefined)));
  }

  /** The credentials of a provider. The array is replaced but never changed, because callers compare it by identity. */
  of(provider: string): readonly Channel[] {
    return this.#stored.get(provider) ?? this.#ofEnvironment(provider);
  }

  /** Finds a credential by its id, even if it is disabled. Do not use it for inference requests. */
  async find(id: string): Promise<Channel | undefined> {
    if (id.startsWith(ENVIRONMENT_PREFIX)) return this.ofEnvironment(id.slice(ENVIRONMENT_PREFIX.length));
    const row = isUuid(id) ? await this.credentials.row(id.toLowerCase()) : undefined;
    return row && storedChannel(row, this.#idOf);
  }

  /** The display names of credentials by id; unknown and deleted credentials are missing. */
  async namesOf(ids: Iterable<string>): Promise<ReadonlyMap<string, CredentialName>> {
    const wanted = [...new Set(ids)];
    const names = new Map(await this.credentials.namesOf(wanted.filter(isUuid)));
    for (const id of wanted.filter((one) => one.startsWith(ENVIRONMENT_PREFIX))) {
      const secret = this.ofEnvironment(id.slice(ENVIRONMENT_PREFIX.length))?.secret;
      if (secret) names.set(id, { name: null, label: labelOfCredential(secret.reveal()) });
    }
    return names;
  }

  /** The credential of the environment, if the provider has one. */
  ofEnvironment(provider: string): Channel | undefined {
    return this.#ofEnvironment(provider)[0];
  }

  /**
   * Returns the secret for one call. Records the use of a stored credential first, and rejects if the use cannot be
   * recorded.
   */
  open(channel: Channel, caller: Principal, place?: CallerPlace): OpenedChannel | Promise<OpenedChannel> {
    return isStored(channel) ? this.#open(channel, caller, place) : { secret: channel.secret };
  }

  async #open({ row }: StoredChannel, caller: Principal, place?: CallerPlace): Promise<OpenedChannel> {
    const { key, headers } = await this.credentials.openFor(row, caller, place);
    const call = {
      ...(row.baseUrl === null ? {} : { baseUrl: row.baseUrl }),
      ...(row.apiVersion === null ? {} : { apiVersion: row.apiVersion }),
      mayBePrivate: this.#mayBePrivate,
      headers: Object.entries({ ...row.headers, ...headers }).flat(),
    };
    return { secret: key, call };
  }

  /** The opened channel with the address of an own provider, unless the credential has its own address. */
  at({ secret, call }: OpenedChannel, address: string): OpenedChannel {
    const own = { ...call, isOwnProvider: true };
    if (own.baseUrl !== undefined) return { secret, call: own };
    return { secret, call: { mayBePrivate: this.#mayBePrivate, ...own, baseUrl: address } };
  }

  get #mayBePrivate(): boolean {
    return this.config.values.CHANNEL_PRIVATE_ADDRESSES === 'on';
  }

  #ofEnvironment(provider: string): readonly Channel[] {
    let channels = this.#environment.get(provider);
    if (!channels) {
      const { apiKey } = this.config.provider(provider);
      this.#environment.set(provider, (channels = apiKey ? [environmentChannel(provider, apiKey)] : NONE));
    }
    return channels;
  }

  /** If the database is unavailable, the cached credentials stay in use. */
  async #read(): Promise<void> {
    this.#isStale = false;
    try {
      const [rows, ofEnvironment] = await Promise.all([this.credentials.rows(), this.states.ofEnvironment()]);
      this.#stored = this.#byProvider(rows.filter(({ disabled }) => !disabled));
      for (const version of ofEnvironment.keys()) this.#ofEnvironment(providerOfVersion(version));
      for (const [channel] of this.#environment.values())
        if (channel) this.#learnState(channel, ofEnvironment.get(channel.version));
      this.#freshUntil = this.#isStale ? 0 : performance.now() + MAX_AGE_MS;
    } catch (error) {
      this.#freshUntil = performance.now() + RETRY_MS;
      this.#log.debug(`The platform's credentials could not be read: ${(error as Error).message}`);
    }
  }

  #byProvider(rows: readonly PlatformCredentialRow[]): Map<string, readonly Channel[]> {
    const byProvider = new Map<string, Channel[]>();
    for (const row of rows) {
      const channel = storedChannel(row, this.#idOf);
      const { state, stateUntil: until } = row;
      this.#learnState(channel, state && until ? { state, until } : undefined);
      const channels = byProvider.get(row.provider);
      if (channels) channels.push(channel);
      else byProvider.set(row.provider, [...this.#ofEnvironment(row.provider), channel]);
    }
    return byProvider;
  }

  /**
   * Adopts the stored state, because another replica may have found the credential refused, exhausted or healthy again.
   */
  #learnState({ id, version, isStored }: Channel, stored: LastingState | undefined): void {
    const known = this.rests.lasting({ version });
    if (!stored && (known === 'refused' || known === 'exhausted')) this.rests.succeeded({ version }, undefined);
    if (!stored) return;
    const { state: reason, until } = stored;
    this.rests.learn({ id, version, model: null, reason, until: until.getTime(), isFirm: isStored });
  }
}

const isStored = (channel: Channel): channel is StoredChannel => channel.isStored;

function storedChannel(row: PlatformCredentialRow, idOf: (name: string) => string | undefined): StoredChannel {
  const { id, provider, priority, weight, baseUrl, region, allowedModels, deniedModels } = row;
  const { rpm, tpm, maxConcurrent } = row;
  return {
    id,
    version: versionOf(row),
    provider,
    secret: null,
    isStored: true,
    priority,
    weight,
    baseUrl,
    region,
    allowedModels,
    deniedModels,
    modelNames: namesById(row, idOf),
    caps: rpm === null && tpm === null && maxConcurrent === null ? undefined : { rpm, tpm, maxConcurrent },
    row,
  };
}

/**
 * The id of a model takes precedence over its other names. Unknown names are kept, because their models may be added
 * later.
 */
const namesById = (
  { modelNames }: PlatformCredentialRow,
  idOf: (name: string) => string | undefined,
): Channel['modelNames'] => ({
  ...Object.fromEntries(Object.entries(modelNames).map(([name, upstream]) => [idOf(name) ?? name, upstream])),
  ...modelNames,
});

/** The `version` of a stored channel. */
export const versionOf = ({
  id,
  createdAt,
  updatedAt,
}: Pick<PlatformCredentialRow, 'id' | 'createdAt' | 'updatedAt'>): string =>
  `${id}@${(updatedAt ?? createdAt).getTime()}`;
