import { Injectable } from '@nestjs/common';
import { Catalogue } from '../catalogue/catalogue.js';
import type { CatalogueEndpoint, CatalogueModel } from '../catalogue/catalogue-model.js';
import { upstreamModelOf, type Channel } from '../channels/channel.js';
import { ChannelDirectory, type OpenedChannel } from '../channels/channel-directory.js';
import { statusOfFailure } from '../channels/rest-of-failure.js';
import { GatewayError, invalidRequest } from '../kernel/errors/errors.js';
import type { Principal } from '../kernel/principal.js';
import type { Conversation } from '../formats/conversation.js';
import { AdapterRegistry } from './adapter-registry.js';
import { CallCredentials } from './attempts/call-credentials.js';
import { ModelNames } from './model-names.js';

const TIMEOUT_MS = 10_000;
const MAX_OUTPUT_TOKENS = 16;
const GREETING: Conversation = {
  messages: [{ role: 'user', parts: [{ type: 'text', text: 'Hello' }] }],
  tools: [],
  modalities: [],
  settings: { maxOutputTokens: MAX_OUTPUT_TOKENS },
};

/** The result of a test. */
export interface ChannelTest {
  readonly ok: boolean;
  /** The vendor's status, or the gateway's if the vendor sent none; 200 = success. */
  readonly status: number;
  readonly latencyMs: number;
  /**
   * After a success, a description of the result. After a failure, the vendor's message, or the gateway's if the vendor
   * sent none.
   */
  readonly message: string;
  /** `models`: the list of models was read. `call`: a model was called. */
  readonly checked: 'models' | 'call';
}

/** A model that a vendor lists. */
export interface ListedModel {
  readonly upstream: string;
  /** The id of the model in the catalogue; undefined if the catalogue does not have it at this provider. */
  readonly id: string | undefined;
  readonly priced: boolean;
}

/** Tests the platform's credentials at their vendors. No account is billed. */
@Injectable()
export class ChannelTests {
  constructor(
    private readonly catalogue: Catalogue,
    private readonly names: ModelNames,
    private readonly adapters: AdapterRegistry,
    private readonly channels: ChannelDirectory,
    private readonly credentials: CallCredentials,
  ) {}

  /**
   * Calls `model`, or reads the vendor's list of models if `model` is undefined. A failure of the vendor is returned as
   * a result, not thrown.
   */
  async test(channel: Channel, model: string | undefined, asker: Principal): Promise<ChannelTest> {
    const called = model === undefined ? undefined : this.#calledAt(channel, model);
    const checked = called ? 'call' : 'models';
    const startedAt = performance.now();
    const outcome = (ok: boolean, status: number, message: string): ChannelTest => ({
      ok,
      status,
      latencyMs: Math.round(performance.now() - startedAt),
      message,
      checked,
    });
    try {
      if (called) {
        await this.#call(channel, called, asker);
        this.credentials.passedTest(channel);
        return outcome(true, 200, 'The model responded.');
      }
      const models = await this.list(channel, asker);
      this.credentials.passedTest(channel);
      return outcome(true, 200, `The vendor lists ${models.length} models.`);
    } catch (error) {
      if (!isVendors(error)) throw error;
      this.credentials.failedTest(channel, called && upstreamModelOf(channel, called.endpoint, called.model.id), error);
      return outcome(false, statusOfFailure(error), error.facts?.vendorMessage ?? error.message);
    }
  }

  /**
   * The models that the vendor lists for the credential, each with its id in the catalogue. Throws invalid_request if
   * the vendor has no list that this service can read.
   */
  async list(channel: Channel, asker: Principal): Promise<ListedModel[]> {
    const { provider } = channel;
    const offers = this.#offersOf(provider);
    const own = this.catalogue.provider(provider)?.own;
    for (const endpoint of own
      ? [own]
      : offers.map((offer) => offer.endpoint).filter(({ capability }) => capability === 'chat')) {
      const adapter = this.adapters.text.get(endpoint.adapter ?? '');
      if (!adapter?.listModels) continue;
      const about = { provider, package: endpoint.package, timeoutMs: TIMEOUT_MS, signal: limitedTime() };
      const { secret: credential, call } = await this.#open(channel, asker);
      const listing = adapter.listModels({ ...about, credential, channel: call });
      if (!listing) continue;
      return (await listing).map((upstream) => listed(upstream, offers));
    }
    throw invalidRequest(`Provider ${provider} has no list of models that this service can read: name a model to call`);
  }

  #calledAt({ provider }: Channel, name: string): Offer {
    const model = this.names.find(name, { capability: 'chat', format: undefined });
    const endpoint = model.endpoints.find((one) => one.provider === provider && one.capability === 'chat');
    if (endpoint) return { model, endpoint };
    throw invalidRequest(`model must be a text model of provider ${provider}: GET /models lists them`);
  }

  async #call(channel: Channel, { model, endpoint }: Offer, asker: Principal): Promise<void> {
    const adapter = this.adapters.text.get(endpoint.adapter ?? '');
    if (!adapter?.converse) throw invalidRequest('model cannot be called by this service');
    const { secret: credential, call } = await this.#open(channel, asker);
    const leave = new AbortController();
    const { provider, package: pack } = endpoint;
    await adapter.converse({
      provider,
      package: pack,
      upstreamModel: upstreamModelOf(channel, endpoint, model.id),
      credential,
      channel: call,
      options: {},
      timeoutMs: TIMEOUT_MS,
      signal: AbortSignal.any([limitedTime(), leave.signal]),
      conversation: GREETING,
      streamed: false,
      maxOutputTokens: MAX_OUTPUT_TOKENS,
      reservedOutputTokens: MAX_OUTPUT_TOKENS,
    });
    leave.abort(new Error('the response is no longer read'));
  }

  async #open(channel: Channel, caller: Principal): Promise<OpenedChannel> {
    const opened = await this.channels.open(channel, caller, caller.place);
    const own = this.catalogue.provider(channel.provider)?.own;
    return own ? this.channels.at(opened, own.address) : opened;
  }

  #offersOf(provider: string): Offer[] {
    return this.catalogue
      .all()
      .flatMap((model) =>
        model.endpoints.filter((endpoint) => endpoint.provider === provider).map((endpoint) => ({ model, endpoint })),
      );
  }
}

/** Whether the error is the vendor's response, or means that the vendor could not be reached. */
const isVendors = (error: unknown): error is GatewayError =>
  error instanceof GatewayError && (error.vendorStatus !== undefined || error.kind.startsWith('provider_'));

function limitedTime(): AbortSignal {
  const left = new AbortController();
  const late = new GatewayError('provider_timeout', 'The provider took too long to respond', { outage: true });
  setTimeout(() => left.abort(late), TIMEOUT_MS).unref();
  return left.signal;
}

interface Offer {
  readonly model: CatalogueModel;
  readonly endpoint: CatalogueEndpoint;
}

function listed(upstream: string, offers: readonly Offer[]): ListedModel {
  const found = offers.find(({ endpoint }) => endpoint.upstreamModel === upstream);
  return { upstream, id: found?.model.id, priced: (found?.endpoint.pricing.length ?? 0) > 0 };
}
