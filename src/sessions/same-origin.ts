import type { Request } from 'express';
import { forbidden } from '../kernel/errors/errors.js';

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/**
 * Throws a 403 for a write that does not come from a page of the same origin. Browsers send Sec-Fetch-Site with
 * requests over TLS and to loopback, and Origin with every write. Pages cannot change these headers. `publicOrigin`:
 * the origin of PUBLIC_BASE_URL.
 */
export function refuseCrossOrigin(request: Request, publicOrigin: string | undefined): void {
  if (READS.has(request.method)) return;
  const site = request.headers['sec-fetch-site'];
  const { origin } = request.headers;
  const isSame =
    site === undefined
      ? origin !== undefined && (origin === publicOrigin || origin === `${request.protocol}://${request.host}`)
      : site === 'same-origin';
  if (!isSame)
    throw forbidden('The console accepts changes only from its own pages, and this request has another origin');
}
