import type { Attempt } from '../egress-client.js';

/** The expected release of the secret, and the expected response of the proxy. */
export interface EgressCase extends Attempt {
  readonly name: string;
  /** Whether the secret arrives at the bound host. Otherwise it must arrive nowhere. */
  readonly released: boolean;
  /** The status of CONNECT; default 200. */
  readonly status?: number;
  /** The start or a part of the response inside the tunnel; `null` = no connection was established. */
  readonly says?: RegExp | null;
  /** The paths of all requests that arrive anywhere, in order; default: not checked. */
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
/** A request that reaches another host, which must get at most the placeholder. */
export const elsewhere = (name: string, host: string, it: Partial<Attempt> = {}): EgressCase =>
  no(name, { connect: `${host}:443`, request: get('$HOST'), says: /^HTTP\/1\.1 200/, ...it });
export const noTunnel = (name: string, connect: string, status: number, it: Partial<Attempt> = {}): EgressCase =>
  no(name, { connect, request: get(B), status, says: new RegExp(`^HTTP/1\\.1 ${status}`), ...it });

/** A second request, hidden in the body of the first. */
export const HIDDEN = `GET /hidden HTTP/1.1\r\nHost: ${B}\r\n\r\n`;
export const chunks = (...parts: readonly string[]): string =>
  `${parts.map((part) => `${part.length.toString(16)}\r\n${part}\r\n`).join('')}0\r\n\r\n`;
export const withBody = (method: string, more: string, body: string): string =>
  `${method} /outer HTTP/1.1\r\nHost: ${B}\r\nAuthorization: Bearer ${P}\r\n${more}\r\n${body}`;
export const framed = (name: string, method: string, more: string, body: string): EgressCase =>
  ok(name, { connect: `${B}:443`, request: withBody(method, more, body), arrive: ['/outer'] });
export const unframed = (name: string, more: string, body: string): EgressCase =>
  no(name, { connect: `${B}:443`, request: withBody('POST', more, body), says: /^HTTP\/1\.1 400/, arrive: [] });
