import { GatewayError } from '../../../kernel/errors.js';
import type { EndpointCall } from '../../spec/endpoint-call.js';
import type { VendorAnswer } from '../../wire/vendor-answer.js';
import type { VendorClient } from '../../wire/vendor-client.js';
import { COMPATIBLE_VENDORS, type CompatibleVendor } from './vendors.js';

/** Where a provider's API lives, if the operator says so. */
export type FindBaseUrl = (provider: string) => string | undefined;

/** Sends calls to the vendor that the catalogue names. */
export class CompatibleEndpoint {
  readonly #bySlug = new Map(COMPATIBLE_VENDORS.map((vendor) => [vendor.slug, vendor]));

  constructor(
    private readonly client: VendorClient,
    private readonly baseUrlOf: FindBaseUrl,
  ) {}

  vendorOf(call: EndpointCall): CompatibleVendor {
    const vendor = this.#bySlug.get(call.provider);
    if (!vendor)
      throw new GatewayError('provider_failed', `This service does not know how to reach provider ${call.provider}`);
    return vendor;
  }

  post(
    call: EndpointCall,
    vendor: CompatibleVendor,
    path: string,
    contentType: string,
    body: string | Uint8Array,
  ): Promise<VendorAnswer> {
    const headers = ['content-type', contentType];
    if (call.credential) headers.push(vendor.auth.header, vendor.auth.prefix + call.credential.reveal());
    return this.client.post({
      baseUrl: this.baseUrlOf(vendor.slug) ?? vendor.baseUrl,
      path,
      headers,
      body,
      secret: call.credential,
      signal: call.signal,
      timeoutMs: call.timeoutMs,
    });
  }
}

/** The request without the members that this vendor does not know, nor those that are not set. */
export function fitBody(vendor: CompatibleVendor, body: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const fit: Record<string, unknown> = {};
  for (const name of Object.keys(body))
    if (body[name] !== undefined && !vendor.lacks?.includes(name)) fit[name] = body[name];
  return fit;
}
