import type { Attempt } from '../egress-client.js';

/** What must become of the secret, and what the proxy must say. */
export interface EgressCase extends Attempt {
  readonly name: string;
  /** Arrives at the bound host, or nowhere. */
  readonly released: boolean;
  /** The status of CONNECT; default 200. */
  readonly status?: number;
  /** What comes back inside begins with, or holds; `null` = nothing: no connection came about. */
  readonly says?: RegExp | null;
  /** The paths of the requests that arrive anywhere, in their order; default: not looked at. */
  readonly arrive?: readonly string[];
}

export const P = '__vault__api_token__';
export const B = 'api.bound.test';
export const get = (host: string, more = `Authorization: Bearer ${P}\r\n`, path = '/'): string =>
  `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${more}Connection: close\r\n\r\n`;
export const basic = (text: string): string => Buffer.from(text).toString('base64');
export const h2 = (host: string, more: Record<string, string> = {}): Record<string, string> => ({
  ':method': 'GET',
  ':path': '/',
  ':authority': host,
  authorization: `Bearer ${P}`,
  ...more,
});

export const ok = (name: string, it: Attempt & Pick<EgressCase, 'says' | 'arrive'>): EgressCase => ({
  name,
  released: true,
  says: /^HTTP\/(1\.1|2) (200|101|302)/,
  ...it,
});
export const no = (name: string, it: Attempt & Pick<EgressCase, 'status' | 'says' | 'arrive'>): EgressCase => ({
  name,
  released: false,
  ...it,
});
export const inner = (name: string, request: string, says: RegExp): EgressCase =>
  no(name, { connect: `${B}:443`, request, says });
/** Reaches another host, which gets the placeholder at most. */
export const elsewhere = (name: string, host: string, it: Partial<Attempt> = {}): EgressCase =>
  no(name, { connect: `${host}:443`, request: get('$HOST'), says: /^HTTP\/1\.1 200/, ...it });
export const noTunnel = (name: string, connect: string, status: number, it: Partial<Attempt> = {}): EgressCase =>
  no(name, { connect, request: get(B), status, says: new RegExp(`^HTTP/1\\.1 ${status}`), ...it });

/** Another request, as the body of one. */
export const HIDDEN = `GET /hidden HTTP/1.1\r\nHost: ${B}\r\n\r\n`;
export const chunks = (...parts: readonly string[]): string =>
  `${parts.map((part) => `${part.length.toString(16)}\r\n${part}\r\n`).join('')}0\r\n\r\n`;
export const withBody = (method: string, more: string, body: string): string =>
  `${method} /outer HTTP/1.1\r\nHost: ${B}\r\nAuthorization: Bearer ${P}\r\n${more}\r\n${body}`;
export const framed = (name: string, method: string, more: string, body: string): EgressCase =>
  ok(name, { connect: `${B}:443`, request: withBody(method, more, body), arrive: ['/outer'] });
export const unframed = (name: string, more: string, body: string): EgressCase =>
  no(name, { connect: `${B}:443`, request: withBody('POST', more, body), says: /^HTTP\/1\.1 400/, arrive: [] });
