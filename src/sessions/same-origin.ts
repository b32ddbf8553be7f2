import type { Request } from 'express';
import { forbidden } from '../kernel/errors/errors.js';

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/**
 * Throws a 403 for a write that a page of this service did not send. Browsers set Sec-Fetch-Site on requests over TLS
 * and to loopback, and Origin on every write; pages can change neither. `publicOrigin`: of PUBLIC_BASE_URL.
 */
export function refuseCrossOrigin(request: Request, publicOrigin: string | undefined): void {
  if (READS.has(request.method)) return;
  const site = request.headers['sec-fetch-site'];
  const { origin } = request.headers;
  const isSame =
    site === undefined
      ? origin !== undefined && (origin === publicOrigin || origin === `${request.protocol}://${request.host}`)
      : site === 'same-origin';
  if (!isSame) throw forbidden('The console takes changes from its own pages only: this request is not of same origin');
}
