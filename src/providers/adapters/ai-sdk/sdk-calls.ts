import { GatewayError, type ErrorKind } from '../../../kernel/errors.js';
import type { EndpointCall } from '../../spec/endpoint-call.js';
import { badAnswer, faultOfStatus } from '../../wire/vendor-fault.js';
import type { VendorFetch } from '../../wire/vendor-fetch.js';
import { vendorMessage } from '../../wire/vendor-message.js';
import { SDK_VENDORS, type SdkProvider, type SdkVendor } from './sdk-vendors.js';

/** Where a provider's API lives, if the operator says so. */
export type FindBaseUrl = (provider: string) => string | undefined;

type Factory = Awaited<ReturnType<SdkVendor['load']>>;

/** Opens provider packages for single calls: each gets the credential in use and a `fetch` of ours. */
export class SdkCalls {
  readonly #factories = new Map<string, Factory>();

  constructor(
    private readonly fetch: VendorFetch,
    private readonly baseUrlOf: FindBaseUrl,
    private readonly vendors: Readonly<Record<string, SdkVendor>> = SDK_VENDORS,
  ) {}

  /** `missing`: how the operation says that a package is not there. */
  async open(call: EndpointCall, missing: ErrorKind): Promise<{ vendor: SdkVendor; provider: SdkProvider }> {
    const name = call.package ?? '';
    const vendor = Object.hasOwn(this.vendors, name) ? this.vendors[name]! : undefined;
    if (!vendor)
      throw new GatewayError(
        missing,
        `This service cannot use the package "${name.slice(0, 100)}" that the catalogue names for provider ${call.provider}`,
      );
    const configured = this.baseUrlOf(call.provider);
    const usual = vendor.usualBaseUrl ?? configured;
    if (usual === undefined)
      throw new GatewayError(
        missing,
        `Provider ${call.provider} has no address of its own: the operator sets ${call.provider.toUpperCase().replace(/[^A-Z0-9]+/g, '_')}_BASE_URL`,
      );
    const create = await this.#factoryOf(name, vendor, missing);
    const secret = call.credential?.reveal() ?? '';
    const fetch = this.fetch.forCall({ home: { usual, configured }, signal: call.signal, timeoutMs: call.timeoutMs });
    return {
      vendor,
      provider: create({
        apiKey: secret,
        apiToken: secret,
        fetch,
        ...(vendor.takesBaseUrl && configured !== undefined ? { baseURL: configured } : {}),
      }),
    };
  }

  /** What the package throws, as wire-notes section 12 says it to a caller. */
  async run<T>(call: EndpointCall, work: () => PromiseLike<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (call.signal.aborted) throw call.signal.reason;
      throw faultOf(error, call);
    }
  }

  async #factoryOf(name: string, vendor: SdkVendor, missing: ErrorKind): Promise<Factory> {
    let factory = this.#factories.get(name);
    if (!factory) {
      factory = await vendor.load().catch((error: unknown) => {
        throw new GatewayError(
          missing,
          `The package ${name} is not installed on this service: the operator installs it with npm install ${name}`,
          { cause: error },
        );
      });
      this.#factories.set(name, factory);
    }
    return factory;
  }
}

function faultOf(error: unknown, call: EndpointCall): GatewayError {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 5; cause = cause.cause, depth++) {
    if (cause instanceof GatewayError) return cause;
    const { statusCode, responseBody, responseHeaders } = cause as {
      statusCode?: number;
      responseBody?: string;
      responseHeaders?: Record<string, string>;
    };
    if (statusCode !== undefined && statusCode >= 300)
      return faultOfStatus(
        statusCode,
        vendorMessage(Buffer.from(responseBody ?? ''), call.credential),
        responseHeaders?.['retry-after'],
      );
  }
  // The vendor's words may be in it, and those of a half-read answer: not for the caller.
  return new GatewayError('provider_failed', badAnswer('could not be used').message, { cause: error });
}
