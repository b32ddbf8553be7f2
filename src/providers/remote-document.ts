import { GatewayError, invalidRequest } from '../kernel/errors/errors.js';
import { VendorFetch } from './wire/vendor-fetch.js';

/**
 * Reads a text of at most 32 MiB from an http or https address. Throws a GatewayError that names the address and the
 * error.
 */
export async function readDocument(address: string, timeoutMs: number): Promise<string> {
  if (!URL.canParse(address)) throw invalidRequest(`${address} is not a valid URL`);
  const vendorFetch = new VendorFetch(timeoutMs);
  const signal = AbortSignal.timeout(10 * timeoutMs);
  try {
    const response = await vendorFetch.forCall({ home: { standard: address }, signal })(address);
    if (!response.ok) throw new GatewayError('provider_failed', `the server responded with status ${response.status}`);
    return new TextDecoder('utf-8', { fatal: true }).decode(await response.arrayBuffer());
  } catch (error) {
    throw new GatewayError('provider_failed', `${address} cannot be read: ${(error as Error).message}`, {
      cause: error,
    });
  } finally {
    await vendorFetch.close();
  }
}
