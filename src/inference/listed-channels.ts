import { Injectable } from '@nestjs/common';
import { Catalogue } from '../catalogue/catalogue.js';
import { ENVIRONMENT_PREFIX, type Channel } from '../channels/channel.js';
import { ChannelDirectory, versionOf } from '../channels/channel-directory.js';
import { NO_CALLS, type ChannelHealthRecord } from '../channels/channel-health.js';
import { ChannelStates, type ChannelStateReport } from '../channels/channel-states.js';
import { DEFAULT_SETUP, type PlatformCredential } from '../channels/platform-credential.js';
import { PlatformCredentials } from '../channels/platform-credentials.js';
import { Config } from '../config/config.js';
import { notFound } from '../kernel/errors/errors.js';
import { isUuid } from '../kernel/ids.js';
import { labelOfCredential } from '../secrets/credential-label.js';
import { ProcessesHealth } from './process-health.js';

/** A credential in the list. */
export interface ListedChannel extends Omit<
  PlatformCredential,
  'createdAt' | 'updatedAt' | 'state' | 'stateUntil' | 'secretHeaderNames'
> {
  readonly source: 'stored' | 'environment';
  readonly secretHeaderNames: readonly string[];
  readonly createdAt: Date | null;
  readonly updatedAt: Date | null;
  /** The state, and the results of the calls in all processes of this replica. */
  readonly report: ChannelStateReport & ChannelHealthRecord;
}

type CallsByChannel = ReadonlyMap<string, ChannelHealthRecord>;

/** The 404 for an unknown or malformed id. */
export const unknownChannel = (): Error => notFound('No platform credential has this id');

/** The list of the platform's credentials: from the environment, and stored. */
@Injectable()
export class ListedChannels {
  constructor(
    private readonly catalogue: Catalogue,
    private readonly credentials: PlatformCredentials,
    private readonly channels: ChannelDirectory,
    private readonly states: ChannelStates,
    private readonly processes: ProcessesHealth,
    private readonly config: Config,
  ) {}

  async all(provider?: string): Promise<ListedChannel[]> {
    // Reads the states that other replicas stored.
    await this.channels.refresh();
    const [credentials, calls] = await Promise.all([this.credentials.list(), this.processes.callsByChannel()]);
    const ofEnvironment = this.catalogue.providers().flatMap(({ slug }) => this.#environment(slug, calls) ?? []);
    const stored = credentials.map((credential) => this.#stored(credential, calls));
    return [...ofEnvironment, ...stored]
      .filter((channel) => provider === undefined || channel.provider === provider)
      .sort((a, b) => (a.provider === b.provider ? a.priority - b.priority : a.provider < b.provider ? -1 : 1));
  }

  /** Throws 404 for an unknown id. */
  async one(id: string): Promise<ListedChannel> {
    await this.channels.refresh();
    if (id.startsWith(ENVIRONMENT_PREFIX)) {
      const found = this.#environment(id.slice(ENVIRONMENT_PREFIX.length), await this.processes.callsByChannel());
      if (!found) throw unknownChannel();
      return found;
    }
    const found = isUuid(id) ? await this.credentials.find(id.toLowerCase()) : undefined;
    if (!found) throw unknownChannel();
    return this.stored(found);
  }

  /** Like `one`, but returns the credential for use. Throws 404 for an unknown id. */
  async channel(id: string): Promise<Channel> {
    const found = await this.channels.find(id);
    if (!found || this.#isShadowed(found)) throw unknownChannel();
    return found;
  }

  async stored(credential: PlatformCredential): Promise<ListedChannel> {
    return this.#stored(credential, await this.processes.callsByChannel());
  }

  #stored(credential: PlatformCredential, calls: CallsByChannel): ListedChannel {
    const { id, disabled } = credential;
    const state = this.states.of({ disabled, version: versionOf(credential) });
    return { ...credential, source: 'stored', report: { ...(calls.get(id) ?? NO_CALLS), ...state } };
  }

  /**
   * Whether a credential of the environment is ignored, because its variable matches the name of an own provider, or of
   * no provider.
   */
  #isShadowed({ provider: slug, isStored }: Channel): boolean {
    const provider = this.catalogue.provider(slug);
    return !isStored && (!provider || provider.own !== undefined);
  }

  #environment(slug: string, calls: CallsByChannel): ListedChannel | undefined {
    const channel = this.channels.ofEnvironment(slug);
    if (!channel || this.#isShadowed(channel)) return undefined;
    return {
      ...DEFAULT_SETUP,
      id: channel.id,
      provider: slug,
      label: labelOfCredential(channel.secret!.reveal()),
      baseUrl: this.config.provider(slug).baseUrl ?? null,
      secretHeaderNames: [],
      source: 'environment',
      createdAt: null,
      updatedAt: null,
      report: {
        ...(calls.get(channel.id) ?? NO_CALLS),
        ...this.states.of({ disabled: false, version: channel.version }),
      },
    };
  }
}
