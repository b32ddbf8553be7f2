import { notFound, type GatewayError } from '../../../kernel/errors/errors.js';
import type { SecretValue } from '../../../kernel/secret-value.js';
import { unsendableReason } from '../../ports/endpoint-adapter.js';
import type { EndpointCall, EndpointName, FindBaseUrl } from '../../ports/endpoint-call.js';
import type { ListCall } from '../../ports/vendor-models.js';
import { listedModels } from '../../listed-models.js';
import type { VendorResponse } from '../../wire/vendor-response.js';
import { credentialHeader, vendorHeaders } from '../../wire/vendor-request.js';
import type { VendorClient } from '../../wire/vendor-client.js';
import { BEARER, NO_URLS } from './text-vendor.js';
import { openCredential, type OpenedCredential } from './vendor-credential.js';
import { COMPATIBLE_VENDORS, type CompatibleVendor } from './vendors.js';

/** A request without its credential. */
export interface CompatibleRequest {
  /** Below the base URL. */
  readonly path: string;
  /** Default: `application/json`. */
  readonly contentType?: string;
  readonly body: string | Uint8Array;
  /** Alternating names and values, besides content type and credential. */
  readonly headers?: readonly string[];
  /** The base URL of an operation, if it differs from the vendor's. */
  readonly baseUrlOf?: (baseUrl: string) => string;
}

/** Sends requests to the vendor that the catalogue names. */
export class CompatibleEndpoint {
  readonly #bySlug = new Map(COMPATIBLE_VENDORS.map((vendor) => [vendor.slug, vendor]));

  constructor(
    private readonly client: VendorClient,
    private readonly baseUrlOf: FindBaseUrl,
  ) {}

  /** The reason why this service's configuration cannot call the endpoint; undefined = it can. */
  unreachableReason(endpoint: EndpointName): string | undefined {
    return this.#rowOf(endpoint) ? undefined : `This service does not know how to reach provider ${endpoint.provider}`;
  }

  /**
   * A provider with an address but without a row is called in the common form. An own provider may be in the operator's
   * network, so it does not fetch URLs for callers.
   */
  #rowOf({ provider, channel, ownAddress }: EndpointName): CompatibleVendor | undefined {
    const row = this.#bySlug.get(provider);
    const baseUrl = channel?.baseUrl ?? ownAddress;
    if (row || baseUrl === undefined) return row;
    return {
      slug: provider,
      baseUrl,
      auth: BEARER,
      requestsBase64: true,
      ...(channel?.isOwnProvider && { text: NO_URLS }),
    };
  }

  /** Why a credential does not have the form that the vendor's row requires, or cannot be sent; otherwise undefined. */
  credentialReason({ provider, channel }: EndpointName, credential: SecretValue): string | undefined {
    const vendor = this.#bySlug.get(provider);
    try {
      const opened = vendor && openCredential(vendor, credential, channel?.baseUrl ?? this.baseUrlOf(provider));
      const key = opened?.key ?? credential;
      return unsendableReason(provider, key.reveal(), key === credential ? undefined : vendor?.credential?.key);
    } catch (error) {
      return (error as GatewayError).message;
    }
  }

  vendorOf(endpoint: EndpointName): CompatibleVendor {
    const vendor = this.#rowOf(endpoint);
    if (!vendor) throw notFound(this.unreachableReason(endpoint)!);
    return vendor;
  }

  /** The key and the address that a call uses. */
  open(call: Pick<EndpointCall, 'credential' | 'channel'>, vendor: CompatibleVendor): OpenedCredential {
    return openCredential(vendor, call.credential, call.channel?.baseUrl ?? this.baseUrlOf(vendor.slug));
  }

  async listModels(call: ListCall): Promise<readonly string[]> {
    const vendor = this.vendorOf(call);
    const { key, baseUrl } = this.open(call, vendor);
    const headers = credentialHeader(vendor.auth, key);
    return listedModels(
      await this.client.post({ ...call, method: 'GET', baseUrl, path: '/models', headers, body: '', secret: key }),
    );
  }

  /** The vendor's address, unless it is part of the credential. */
  baseUrlOfVendor({ slug, baseUrl }: CompatibleVendor): string {
    return this.baseUrlOf(slug) ?? baseUrl;
  }

  post(
    call: EndpointCall,
    vendor: CompatibleVendor,
    path: string,
    contentType: string,
    body: string | Uint8Array,
  ): Promise<VendorResponse> {
    return this.send(call, vendor, { path, contentType, body });
  }

  send(call: EndpointCall, vendor: CompatibleVendor, request: CompatibleRequest): Promise<VendorResponse> {
    const { path, contentType = 'application/json', body, headers, baseUrlOf = (url) => url } = request;
    const { key, baseUrl } = this.open(call, vendor);
    const own = vendorHeaders(contentType, vendor.auth, key);
    return this.client.post({
      baseUrl: baseUrlOf(baseUrl),
      path,
      headers: headers ? [...own, ...headers] : own,
      body,
      secret: key,
      signal: call.signal,
      timeoutMs: call.timeoutMs,
      channel: call.channel,
    });
  }
}

/** The body without members that this vendor does not support and without undefined members. */
export function supportedFields(
  vendor: CompatibleVendor,
  body: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const name of Object.keys(body))
    if (body[name] !== undefined && !vendor.unsupported?.includes(name)) fields[name] = body[name];
  return fields;
}
