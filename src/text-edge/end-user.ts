import type { IncomingHttpHeaders } from 'node:http';
import { faultOfTrackingId } from '../http/edge/tracking-id.js';
import { percentDecoded } from '../kernel/text/text.js';

/**
 * The end user from the first header of `names` that is present. Open WebUI sends percent-encoded UTF-8; other text is
 * used unchanged. Undefined if no header contains an end user, or if the text is not a valid tracking id.
 */
export function endUserOf(headers: IncomingHttpHeaders, names: readonly string[]): string | undefined {
  const name = names.find((header) => typeof headers[header] === 'string' && headers[header] !== '');
  if (name === undefined) return undefined;
  const header = headers[name] as string;
  const id = (percentDecoded(header) ?? header).trim();
  return faultOfTrackingId(id) === undefined ? id : undefined;
}
