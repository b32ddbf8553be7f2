import { variableOfProvider } from '../../../config/config.js';
import { GatewayError, invalidRequest, notFound } from '../../../kernel/errors/errors.js';
import type { SecretValue } from '../../../kernel/secret-value.js';
import type { EndpointCall, EndpointName, FindBaseUrl } from '../../ports/endpoint-call.js';
import type { VendorFetch } from '../../wire/vendor-fetch.js';
import { readCredential, type SdkCredential } from './credentials/sdk-credentials.js';
import { faultOf } from './sdk-faults.js';
import type { SdkProvider } from './sdk-provider.js';
import { SDK_VENDORS, type SdkVendor } from './sdk-vendors.js';

/** Settings of a credential that is no API key: an empty one keeps packages from reading the environment. */
const NO_KEY = { apiKey: '', apiToken: '' };

type WrapFetch = (fetch: typeof globalThis.fetch) => typeof globalThis.fetch;
type Factory = Awaited<ReturnType<SdkVendor['load']>>;

/** Creates the provider object of a package for one call, with that call's credential and a guarded `fetch`. */
export class SdkCalls {
  readonly #factories = new Map<string, Factory>();

  constructor(
    private readonly fetch: VendorFetch,
    private readonly baseUrlOf: FindBaseUrl,
    private readonly vendors: Readonly<Record<string, SdkVendor>> = SDK_VENDORS,
  ) {}

  /** The reason why this service's configuration cannot call the endpoint; undefined = it can. */
  unreachableReason({ provider, package: name = '', needsCredential = true }: EndpointName): string | undefined {
    const vendor = this.#vendorOf(name);
    if (!vendor)
      return (
        `This service cannot use the package "${name.slice(0, 100)}" that the catalogue names ` +
        `for provider ${provider}`
      );
    const mayNameAddress = needsCredential && vendor.credential !== undefined;
    if (mayNameAddress || (defaultBaseUrl(vendor, provider) ?? this.baseUrlOf(provider)) !== undefined)
      return undefined;
    return (
      `Provider ${provider} has no address of its own: the operator sets ` + variableOfProvider(provider, 'BASE_URL')
    );
  }

  /** Where a vendor is whose credential is an API key. */
  addressOf({ provider, package: name = '' }: EndpointName): string {
    const address = this.baseUrlOf(provider) ?? defaultBaseUrl(this.#vendorOf(name)!, provider);
    if (address === undefined) throw notFound(this.unreachableReason({ provider, package: name })!);
    return address;
  }

  /** Why a credential cannot be used at the endpoint: it names members and never quotes a value. */
  credentialReason({ provider, package: name = '' }: EndpointName, credential: SecretValue): string | undefined {
    const vendor = this.#vendorOf(name);
    if (!vendor) return undefined;
    const read = this.#credentialOf(vendor, provider, credential);
    return 'reason' in read ? `The credential for provider ${provider} ${read.reason}.` : undefined;
  }

  /** `streams`: whether bodies are passed on as they arrive. `wrap`: what the `fetch` of the package becomes. */
  async open(
    call: EndpointCall,
    { streams = false, wrap = (fetch) => fetch }: { readonly streams?: boolean; readonly wrap?: WrapFetch } = {},
  ): Promise<{ vendor: SdkVendor; provider: SdkProvider }> {
    const reason = this.unreachableReason(call);
    if (reason !== undefined) throw notFound(reason);
    const name = call.package!;
    const vendor = this.#vendorOf(name)!;
    const configured = this.baseUrlOf(call.provider);
    const credential = this.#credentialOf(vendor, call.provider, call.credential);
    if ('reason' in credential)
      throw invalidRequest(`The credential for provider ${call.provider} ${credential.reason}.`);
    const standard = (credential.baseUrl ?? defaultBaseUrl(vendor, call.provider) ?? configured)!;
    const create = await this.#factoryOf(name, vendor);
    const isCallers = configured === undefined && credential.isAnyAddress;
    const { signal, timeoutMs } = call;
    return {
      vendor,
      provider: create({
        ...NO_KEY,
        ...credential.settings,
        fetch: wrap(this.fetch.forCall({ home: { standard, configured, isCallers }, signal, timeoutMs, streams })),
        // Always given, because a package may look for an address in the environment.
        ...(vendor.acceptsBaseUrl ? { baseURL: configured ?? standard } : {}),
      }),
    };
  }

  /** Runs `work`; converts what the package throws to a GatewayError (docs/api-rules.md, section 12). */
  async run<T>(call: EndpointCall, work: () => PromiseLike<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (call.signal.aborted) throw call.signal.reason;
      throw faultOf(error, call);
    }
  }

  #credentialOf(
    { credential: schema }: SdkVendor,
    provider: string,
    secret: SecretValue | null,
  ): SdkCredential | { reason: string } {
    const plaintext = secret?.reveal() ?? '';
    const isPlain = !schema || (schema.orPlainKey && this.baseUrlOf(provider) !== undefined && plaintext[0] !== '{');
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

/** A package that several providers are spoken to with has no address for those that are not in its table. */
const defaultBaseUrl = ({ baseUrls, defaultBaseUrl: usual }: SdkVendor, provider: string): string | undefined =>
  (baseUrls ? (Object.hasOwn(baseUrls, provider) ? baseUrls[provider] : undefined) : usual) ?? undefined;
