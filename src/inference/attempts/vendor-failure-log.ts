import { Logger } from '@nestjs/common';
import type { CatalogueEndpoint } from '../../catalogue/catalogue-model.js';
import { GatewayError, type ErrorKind } from '../../kernel/errors/errors.js';
import { nameOfEndpoint } from '../routing/endpoint-health.js';

const log = new Logger('vendors');

/** The kinds of error that only vendors cause, and the kinds to which vendors' refusals are mapped. */
const VENDORS_FAILURES: ReadonlySet<ErrorKind> = new Set<ErrorKind>([
  'provider_failed',
  'provider_timeout',
  'provider_overloaded',
  'rate_limited',
]);

/**
 * Logs a vendor's failure: the provider, its status if it sent one, and the kind of failure. The message is omitted,
 * because vendors quote the request in it. If the vendor found the request invalid, the failure is logged at the level
 * debug, because it is the caller's mistake.
 */
export function logFailure(endpoint: CatalogueEndpoint, error: unknown, hasBegun: boolean): void {
  if (!(error instanceof GatewayError)) return;
  const { kind, vendorStatus, cause } = error;
  const isMistake = kind === 'invalid_request' || kind === 'payload_too_large';
  if (!VENDORS_FAILURES.has(kind) && !(isMistake && vendorStatus !== undefined)) return;
  const reason = vendorStatus === undefined ? codeOf(cause) : `status ${vendorStatus}`;
  const when = hasBegun ? ' in the middle of its response' : '';
  const text = `${nameOfEndpoint(endpoint)} failed${when}: ${reason ?? kind}`;
  const members = {
    provider: endpoint.provider,
    kind,
    ...(vendorStatus === undefined ? {} : { vendor_status: vendorStatus }),
  };
  if (isMistake) log.debug(text, members);
  else log.warn(text, members);
}

/** The code of a connection failure. Its message is omitted, because it may contain an address. */
function codeOf(cause: unknown): string | undefined {
  const code = (cause as { code?: unknown } | undefined)?.code;
  return typeof code === 'string' ? code : undefined;
}
