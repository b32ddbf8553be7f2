import { notFound, type GatewayError } from '../../../kernel/errors/errors.js';
import type { SecretValue } from '../../../kernel/secret-value.js';
import { unsendableReason, type EndpointChecks } from '../../ports/endpoint-adapter.js';
import { responseMembers } from '../../../formats/response-members.js';
import { isSet, type Members } from '../../../formats/members.js';
import type { EndpointCall, EndpointName, FindBaseUrl, ListCall } from '../../ports/endpoint-call.js';
import { listedModels } from '../../listed-models.js';
import { faultOfMember } from '../../wire/error-member.js';
import type { VendorResponse } from '../../wire/vendor-response.js';
import { credentialHeader, vendorHeaders } from '../../wire/vendor-request.js';
import type { VendorClient } from '../../wire/vendor-client.js';
import { NO_URLS, type CompatibleVendor } from './compatible-vendor.js';
import { openCredential, type OpenedCredential } from './vendor-credential.js';
import { COMPATIBLE_VENDORS } from './vendors.js';

/** A request without its credential. */
export interface CompatibleRequest {
  /** The path below the base URL. */
  readonly path: string;
  /** Default: `application/json`. */
  readonly contentType?: string;
  readonly body: string | Uint8Array;
  /** Alternating names and values, besides content type and credential. */
  readonly headers?: readonly string[];
  /** Converts the vendor's base URL to the base URL of the operation. Absent = they are equal. */
  readonly baseUrlOf?: (baseUrl: string) => string;
}

/** Sends requests to the vendor that the catalogue names. */
export class CompatibleEndpoint implements EndpointChecks {
  readonly #bySlug = new Map(COMPATIBLE_VENDORS.map((vendor) => [vendor.slug, vendor]));

  constructor(
    private readonly client: VendorClient,
    private readonly baseUrlOf: FindBaseUrl,
  ) {}

  unreachableReason(endpoint: EndpointName): string | undefined {
    return this.#rowOf(endpoint) ? undefined : `This service does not know how to reach provider ${endpoint.provider}`;
  }

  /**
   * A provider with an address but without a row is called in the common form. An own provider may be in the operator's
   * network, so it gets no URLs from callers.
   */
  #rowOf({ provider, channel, ownAddress }: EndpointName): CompatibleVendor | undefined {
    const row = this.#bySlug.get(provider);
    const baseUrl = channel?.baseUrl ?? ownAddress;
    if (row || baseUrl === undefined) return row;
    return {
      slug: provider,
      baseUrl,
      requestsBase64: true,
      ...(channel?.isOwnProvider && { text: NO_URLS }),
    };
  }

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
    return listedModels(this.client, call, { baseUrl, headers: credentialHeader(key, vendor.auth), secret: key });
  }

  /**
   * The address that the operator configured, or the vendor's default address. A credential may contain another
   * address.
   */
  baseUrlOfVendor({ slug, baseUrl }: CompatibleVendor): string {
    return this.baseUrlOf(slug) ?? baseUrl;
  }

  send(call: EndpointCall, vendor: CompatibleVendor, request: CompatibleRequest): Promise<VendorResponse> {
    const { path, contentType = 'application/json', body, headers, baseUrlOf = (url) => url } = request;
    const { key, baseUrl } = this.open(call, vendor);
    const own = vendorHeaders(contentType, key, vendor.auth);
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

  /** Sends a request, and returns the JSON object of the response. Throws GatewayError if the object has an `error`. */
  async sendForObject(
    call: EndpointCall,
    vendor: CompatibleVendor,
    request: CompatibleRequest,
    maxBytes: number,
  ): Promise<Members> {
    const response = await this.send(call, vendor, request);
    const object = responseMembers(await response.bytes(maxBytes));
    if (isSet(object['error'])) throw faultOfMember(object['error'], this.open(call, vendor).key);
    return object;
  }
}

/** Removes undefined members and members that the vendor does not support. */
export function supportedFields(
  vendor: CompatibleVendor,
  body: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const name of Object.keys(body))
    if (body[name] !== undefined && !vendor.unsupported?.includes(name)) fields[name] = body[name];
  return fields;
}
