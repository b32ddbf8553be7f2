import { variableOfProvider } from '../../../config/config.js';
import { GatewayError, invalidRequest, notFound } from '../../../kernel/errors/errors.js';
import type { SecretValue } from '../../../kernel/secret-value.js';
import { unsendableReason, type EndpointChecks } from '../../ports/endpoint-adapter.js';
import type { EndpointCall, EndpointName, FindBaseUrl } from '../../ports/endpoint-call.js';
import type { VendorFetch } from '../../wire/vendor-fetch.js';
import { readCredential, type SdkCredential } from './credentials/sdk-credentials.js';
import { faultOf } from './sdk-faults.js';
import type { SdkProvider } from './sdk-provider.js';
import { SDK_VENDORS, type SdkVendor } from './sdk-vendors.js';

/**
 * Settings for a credential that is not an API key. Because of the empty key, packages do not read a key from the
 * environment.
 */
const NO_KEY = { apiKey: '', apiToken: '' };

/** The settings that packages send in headers. The other settings are used to sign requests or to form addresses. */
const SENT_IN_HEADERS = ['apiKey', 'accessKeyId', 'sessionToken'] as const;

type WrapFetch = (fetch: typeof globalThis.fetch) => typeof globalThis.fetch;
type Factory = Awaited<ReturnType<SdkVendor['load']>>;

/** Creates the provider object of a package for one call, with that call's credential and a guarded `fetch`. */
export class SdkCalls implements EndpointChecks {
  readonly #factories = new Map<string, Factory>();

  constructor(
    private readonly fetch: VendorFetch,
    private readonly baseUrlOf: FindBaseUrl,
    private readonly vendors: Readonly<Record<string, SdkVendor>> = SDK_VENDORS,
  ) {}

  unreachableReason(endpoint: EndpointName): string | undefined {
    const { provider, package: name = '', needsCredential = true } = endpoint;
    const vendor = this.#vendorOf(name);
    if (!vendor)
      return (
        `This service does not support the package "${name.slice(0, 100)}" that the catalogue names for ` +
        `provider ${provider}`
      );
    const mayNameAddress = needsCredential && vendor.credential !== undefined;
    if (mayNameAddress || (defaultBaseUrl(vendor, provider) ?? this.#configured(endpoint)) !== undefined)
      return undefined;
    return `Provider ${provider} has no default address: the operator sets ` + variableOfProvider(provider, 'BASE_URL');
  }

  /** The address of a vendor whose credential is an API key. */
  addressOf(endpoint: EndpointName): string {
    const { provider, package: name = '' } = endpoint;
    const address = this.#configured(endpoint) ?? defaultBaseUrl(this.#vendorOf(name)!, provider);
    if (address === undefined) throw notFound(this.unreachableReason(endpoint)!);
    return address;
  }

  /** Whether the credential is an API key, not an object of several members. */
  takesPlainKey({ package: name = '' }: EndpointName): boolean {
    return this.#vendorOf(name)?.credential === undefined;
  }

  credentialReason(endpoint: EndpointName, credential: SecretValue): string | undefined {
    const { provider, package: name = '' } = endpoint;
    const vendor = this.#vendorOf(name);
    if (!vendor) return undefined;
    const read = this.#credentialOf(vendor, endpoint, credential);
    if ('reason' in read) return `The credential for provider ${provider} ${read.reason}.`;
    for (const member of SENT_IN_HEADERS) {
      const value = read.settings[member];
      if (typeof value !== 'string') continue;
      const reason = unsendableReason(provider, value, value === credential.reveal() ? undefined : member);
      if (reason !== undefined) return reason;
    }
    return undefined;
  }

  /** `streams`: whether bodies are forwarded as they arrive. `wrap`: wraps the `fetch` for the package. */
  async open(
    call: EndpointCall,
    { streams = false, wrap = (fetch) => fetch }: { readonly streams?: boolean; readonly wrap?: WrapFetch } = {},
  ): Promise<{ vendor: SdkVendor; provider: SdkProvider }> {
    const reason = this.unreachableReason(call);
    if (reason !== undefined) throw notFound(reason);
    const name = call.package!;
    const vendor = this.#vendorOf(name)!;
    const { channel } = call;
    const configured = this.#configured(call);
    const credential = this.#credentialOf(vendor, call, call.credential);
    if ('reason' in credential)
      throw invalidRequest(`The credential for provider ${call.provider} ${credential.reason}.`);
    const standard = (credential.baseUrl ?? defaultBaseUrl(vendor, call.provider) ?? configured)!;
    const create = await this.#factoryOf(name, vendor);
    const isGuarded =
      channel?.baseUrl === undefined
        ? configured === undefined && credential.isAnyAddress
        : channel.mayBePrivate !== true;
    const home = { standard, configured, isGuarded, isFinal: channel?.baseUrl !== undefined };
    const { signal, timeoutMs } = call;
    return {
      vendor,
      provider: create({
        ...NO_KEY,
        ...credential.settings,
        ...(channel?.apiVersion === undefined ? {} : { apiVersion: channel.apiVersion }),
        fetch: wrap(this.fetch.forCall({ home, headers: channel?.headers, signal, timeoutMs, streams })),
        // Always set, because a package may otherwise read an address from the environment.
        ...(vendor.acceptsBaseUrl !== false ? { baseURL: configured ?? standard } : {}),
      }),
    };
  }

  /** Runs `work`, and converts an error of the package to a GatewayError (docs/api-rules.md, section 12). */
  async run<T>(call: EndpointCall, work: () => PromiseLike<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (call.signal.aborted) throw call.signal.reason;
      throw faultOf(error, call);
    }
  }

  /** The address that the operator configured for the credential or for the provider. */
  #configured({ provider, channel, ownAddress }: EndpointName): string | undefined {
    return channel?.baseUrl ?? ownAddress ?? this.baseUrlOf(provider);
  }

  #credentialOf(
    { credential: schema }: SdkVendor,
    endpoint: EndpointName,
    secret: SecretValue | null,
  ): SdkCredential | { reason: string } {
    const plaintext = secret?.reveal() ?? '';
    const isPlain = !schema || (schema.orPlainKey && this.#configured(endpoint) !== undefined && plaintext[0] !== '{');
    return isPlain ? { settings: { apiKey: plaintext, apiToken: plaintext } } : readCredential(schema, plaintext);
  }

  #vendorOf(name: string): SdkVendor | undefined {
    return Object.hasOwn(this.vendors, name) ? this.vendors[name] : undefined;
  }

  async #factoryOf(name: string, vendor: SdkVendor): Promise<Factory> {
    let factory = this.#factories.get(name);
    if (!factory) {
      factory = await vendor.load().catch((error: unknown) => {
        throw new GatewayError(
          'not_found',
          `The package ${name} is not installed on this service: the operator installs it with npm install ${name}`,
          { cause: error },
        );
      });
      this.#factories.set(name, factory);
    }
    return factory;
  }
}

/**
 * The provider's address in the package's table, or the default address of a package without a table. Undefined if
 * there is no such address.
 */
function defaultBaseUrl({ baseUrls, defaultBaseUrl: usual }: SdkVendor, provider: string): string | undefined {
  if (!baseUrls) return usual;
  return Object.hasOwn(baseUrls, provider) ? baseUrls[provider] : undefined;
}
