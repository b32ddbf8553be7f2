import type { Attempt } from './egress-client.js';

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

const P = '__vault__api_token__';
const B = 'api.bound.test';
const get = (host: string, more = `Authorization: Bearer ${P}\r\n`, path = '/'): string =>
  `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${more}Connection: close\r\n\r\n`;
const basic = (text: string): string => Buffer.from(text).toString('base64');
const h2 = (host: string, more: Record<string, string> = {}): Record<string, string> => ({
  ':method': 'GET',
  ':path': '/',
  ':authority': host,
  authorization: `Bearer ${P}`,
  ...more,
});

const ok = (name: string, it: Attempt & Pick<EgressCase, 'says' | 'arrive'>): EgressCase => ({
  name,
  released: true,
  says: /^HTTP\/(1\.1|2) (200|101|302)/,
  ...it,
});
const no = (name: string, it: Attempt & Pick<EgressCase, 'status' | 'says' | 'arrive'>): EgressCase => ({
  name,
  released: false,
  ...it,
});
const inner = (name: string, request: string, says: RegExp): EgressCase =>
  no(name, { connect: `${B}:443`, request, says });
/** Reaches another host, which gets the placeholder at most. */
const elsewhere = (name: string, host: string, it: Partial<Attempt> = {}): EgressCase =>
  no(name, { connect: `${host}:443`, request: get('$HOST'), says: /^HTTP\/1\.1 200/, ...it });
const noTunnel = (name: string, connect: string, status: number, it: Partial<Attempt> = {}): EgressCase =>
  no(name, { connect, request: get(B), status, says: new RegExp(`^HTTP/1\\.1 ${status}`), ...it });

/** Another request, as the body of one. */
const HIDDEN = `GET /hidden HTTP/1.1\r\nHost: ${B}\r\n\r\n`;
const chunks = (...parts: readonly string[]): string =>
  `${parts.map((part) => `${part.length.toString(16)}\r\n${part}\r\n`).join('')}0\r\n\r\n`;
const withBody = (method: string, more: string, body: string): string =>
  `${method} /outer HTTP/1.1\r\nHost: ${B}\r\nAuthorization: Bearer ${P}\r\n${more}\r\n${body}`;
const framed = (name: string, method: string, more: string, body: string): EgressCase =>
  ok(name, { connect: `${B}:443`, request: withBody(method, more, body), arrive: ['/outer'] });
const unframed = (name: string, more: string, body: string): EgressCase =>
  no(name, { connect: `${B}:443`, request: withBody('POST', more, body), says: /^HTTP\/1\.1 400/, arrive: [] });

export const CORPUS: readonly EgressCase[] = [
  ok('a header', { connect: `${B}:443`, request: get(B) }),
  ok('a header of any name', { connect: `${B}:443`, request: get(B, `X-Api-Key: ${P}\r\n`) }),
  ok('a cookie', { connect: `${B}:443`, request: get(B, `Cookie: a=1; session=${P}\r\n`) }),
  ok('basic credentials', { connect: `${B}:443`, request: get(B, `Authorization: Basic ${basic(`user:${P}`)}\r\n`) }),
  ok('the query', { connect: `${B}:443`, request: get(B, '', `/search?key=${P}&x=1`) }),
  ok('the path', { connect: `${B}:443`, request: get(B, '', `/bot${P}/send`) }),
  ok('twice in one request', { connect: `${B}:443`, request: get(B, `X-One: ${P}\r\nX-Two: a${P}b\r\n`) }),
  ok('HTTP/2', { connect: `${B}:443`, h2: h2(B) }),
  ok('HTTP/2 with the port of https', { connect: `${B}:443`, h2: h2(`${B}:443`) }),
  ok('a Host with the port of https', { connect: `${B}:443`, request: get(`${B}:443`) }),
  ok('a Host in capitals', { connect: `${B}:443`, request: get(B.toUpperCase()) }),
  ok('a Host with a dot at the end', { connect: `${B}:443`, request: get(`${B}.`) }),
  ok('CONNECT in capitals', { connect: `API.Bound.TEST:443`, sni: B, request: get(B) }),
  ok('CONNECT with a dot at the end', { connect: `${B}.:443`, sni: B, request: get(B) }),
  ok('a TLS name in capitals', { connect: `${B}:443`, sni: 'API.bound.test', request: get(B) }),
  ok('a WebSocket', {
    connect: `${B}:443`,
    request: get(
      B,
      `Authorization: Bearer ${P}\r\nUpgrade: websocket\r\nSec-WebSocket-Key: x\r\nSec-WebSocket-Version: 13\r\n`,
    ).replace('Connection: close', 'Connection: Upgrade'),
  }),
  ok('a host outside ASCII in its xn-- form', {
    connect: 'xn--bcher-kva.bound.test:443',
    request: get('xn--bcher-kva.bound.test'),
  }),
  ok('a redirecting host', { connect: `${B}:443`, request: get(B, undefined, '/redirect') }),

  elsewhere('another host', 'elsewhere.test'),
  elsewhere('the landing of a redirect', 'elsewhere.test', { request: get('$HOST', undefined, '/landed') }),
  elsewhere('a subdomain of the bound host', 'sub.api.bound.test'),
  elsewhere('the parent domain of the bound host', 'bound.test'),
  elsewhere('the bound host as the beginning of another', 'api.bound.test.elsewhere.test'),
  elsewhere('the bound host as the end of another', 'evil-api.bound.test'),
  elsewhere('one letter more', 'api.bound.tests'),
  no('a host with a secret of another name', {
    connect: 'other.bound.test:443',
    request: get('$HOST'),
    says: /^HTTP\/1\.1 403/,
  }),
  elsewhere('another host whose TLS name is the bound one', 'elsewhere.test', { sni: B, request: get(B) }),
  elsewhere('another host that claims the bound one in Host', 'elsewhere.test', { request: get(B) }),
  no('another host over HTTP/2, which it does not speak', {
    connect: 'elsewhere.test:443',
    h2: h2('elsewhere.test'),
    says: null,
  }),

  noTunnel('a dot at the beginning', `.${B}:443`, 400),
  noTunnel('two dots at the end', `${B}..:443`, 400),
  noTunnel('a wildcard', '*.bound.test:443', 400),
  noTunnel('userinfo', `${B}@elsewhere.test:443`, 400),
  noTunnel('userinfo the other way round', `elsewhere.test@${B}:443`, 400),
  noTunnel('userinfo with a password', `user:secret@${B}:443`, 400),
  noTunnel('a URL', `https://${B}:443`, 400),
  noTunnel('a path', `${B}/x:443`, 400),
  noTunnel('a path after the port', `${B}:443/x`, 400),
  noTunnel('a query', `${B}?x:443`, 400),
  noTunnel('a fragment', `elsewhere.test#${B}:443`, 400),
  noTunnel('a backslash', `elsewhere.test\\${B}:443`, 400),
  noTunnel('an encoded dot', 'api%2ebound.test:443', 400),
  noTunnel('a NUL in its encoded form', `${B}%00.elsewhere.test:443`, 400),
  noTunnel('no port', B, 400),
  noTunnel('a port that is no number', `${B}:https`, 400),
  noTunnel('another port', `${B}:8443`, 403),
  noTunnel('port 0', `${B}:0`, 403),
  noTunnel('a port beyond 65535 that wraps to 443', `${B}:65979`, 403),
  noTunnel('the mail port', `${B}:25`, 403),
  noTunnel('letters outside ASCII that look alike', 'арi.bound.test:443', 400),
  noTunnel('full-width letters that fold to the name', 'ａpi.bound.test:443', 400),
  noTunnel('a loopback address', '127.0.0.1:443', 403),
  noTunnel('a loopback address of IPv6', '[::1]:443', 403),
  noTunnel('a mapped loopback address', '[::ffff:127.0.0.1]:443', 403),
  noTunnel('the metadata address', '169.254.169.254:443', 403),
  noTunnel('an address in decimal', '2130706433:443', 400),
  noTunnel('an address in hexadecimal', '0x7f000001:443', 400),
  noTunnel('a short address', '127.1:443', 400),
  noTunnel('another host that leads to a private address', 'private.test:443', 403),
  noTunnel('no credentials', `${B}:443`, 407, { credentials: null }),
  noTunnel('credentials of nobody', `${B}:443`, 407, { credentials: `intern:${'0'.repeat(64)}` }),
  noTunnel('empty credentials', `${B}:443`, 407, { credentials: '' }),

  no('the bound host on port 80, without TLS', {
    connect: `${B}:80`,
    bare: true,
    request: get(B),
    says: /^HTTP\/1\.1 200/,
  }),
  no('the bound host on port 443, without TLS', { connect: `${B}:443`, bare: true, request: get(B), says: null }),
  no('a TLS name that differs', { connect: `${B}:443`, sni: 'elsewhere.test', request: get(B), says: null }),
  no('a TLS name below the bound host', { connect: `${B}:443`, sni: `sub.${B}`, request: get(B), says: null }),
  no('no TLS name', { connect: `${B}:443`, sni: null, request: get(B), says: null }),
  no('a bound host with an untrusted certificate', {
    connect: 'untrusted.bound.test:443',
    request: get('$HOST'),
    says: /^HTTP\/1\.1 502/,
  }),
  no('a bound host with the certificate of another name', {
    connect: 'wrong-name.bound.test:443',
    request: get('$HOST'),
    says: /^HTTP\/1\.1 502/,
  }),
  no('a bound host that leads to a private address', {
    connect: 'private.bound.test:443',
    request: get('$HOST'),
    says: /^HTTP\/1\.1 403/,
  }),
  inner('another Host', get('elsewhere.test'), /^HTTP\/1\.1 421/),
  inner('a Host on another port', get(`${B}:8443`), /^HTTP\/1\.1 421/),
  inner('a Host below the bound one', get(`sub.${B}`), /^HTTP\/1\.1 421/),
  inner('a Host with userinfo', get(`x@${B}`), /^HTTP\/1\.1 (400|421)/),
  inner('no Host', `GET / HTTP/1.1\r\nAuthorization: Bearer ${P}\r\nConnection: close\r\n\r\n`, /^HTTP\/1\.1 4(00|21)/),
  inner(
    'two Hosts, the bound one first',
    get(B, `Host: elsewhere.test\r\nAuthorization: Bearer ${P}\r\n`),
    /^HTTP\/1\.1 4(00|21)/,
  ),
  inner(
    'two Hosts, the bound one last',
    get('elsewhere.test', `Host: ${B}\r\nAuthorization: Bearer ${P}\r\n`),
    /^HTTP\/1\.1 4(00|21)/,
  ),
  inner('a URL of another host in the request line', get(B, undefined, 'https://elsewhere.test/'), /^HTTP\/1\.1 421/),
  inner(
    'CONNECT inside',
    `CONNECT elsewhere.test:443 HTTP/1.1\r\nHost: ${B}\r\nAuthorization: Bearer ${P}\r\n\r\n`,
    /^(HTTP\/1\.1 4\d\d|$)/,
  ),
  inner('TRACE, which repeats what it is sent', get(B).replace('GET', 'TRACE'), /^HTTP\/1\.1 4\d\d/),
  inner(
    'a secret that is bound to another host',
    get(B, 'Authorization: Bearer __vault__other_token__\r\n'),
    /^HTTP\/1\.1 403/,
  ),
  inner('a secret that nobody has', get(B, 'Authorization: Bearer __vault__no_such__\r\n'), /^HTTP\/1\.1 403/),
  inner(
    'a placeholder in the body, which is passed on as it is',
    `POST / HTTP/1.1\r\nHost: ${B}\r\nContent-Length: ${P.length}\r\nConnection: close\r\n\r\n${P}`,
    /^HTTP\/1\.1 200/,
  ),
  inner('a placeholder in capitals', get(B, `Authorization: ${P.toUpperCase()}\r\n`), /^HTTP\/1\.1 200/),
  inner(
    "a placeholder in the proxy's own header",
    get(B, `Proxy-Authorization: Basic ${basic(`x:${P}`)}\r\n`),
    /^HTTP\/1\.1 (200|403)/,
  ),
  inner(
    'a WebSocket to another Host',
    get('elsewhere.test', `Authorization: Bearer ${P}\r\nUpgrade: websocket\r\n`).replace(
      'Connection: close',
      'Connection: Upgrade',
    ),
    /^HTTP\/1\.1 421/,
  ),
  no('HTTP/2 with another authority', { connect: `${B}:443`, h2: h2('elsewhere.test'), says: /^HTTP\/2 421/ }),
  no('HTTP/2 with another Host beside the authority', {
    connect: `${B}:443`,
    h2: h2(B, { host: 'elsewhere.test' }),
    says: /^(HTTP\/2 421|$)/,
  }),
  no('HTTP/2 with no authority', {
    connect: `${B}:443`,
    h2: { ':method': 'GET', ':path': '/', host: 'elsewhere.test', authorization: `Bearer ${P}` },
    says: /^(HTTP\/2 421|$)/,
  }),

  framed('a request in the chunked body of another', 'POST', 'Transfer-Encoding: chunked\r\n', chunks(HIDDEN)),
  framed('a request in the chunked body of a GET', 'GET', 'Transfer-Encoding: chunked\r\n', chunks(HIDDEN)),
  framed('a request in the body of a DELETE', 'DELETE', `Content-Length: ${HIDDEN.length}\r\n`, HIDDEN),
  framed(
    'a request in the body of a GET whose length is named as hop-by-hop',
    'GET',
    `Connection: content-length\r\nContent-Length: ${HIDDEN.length}\r\n`,
    HIDDEN,
  ),
  framed(
    'a request in the body of a GET whose chunks are named as hop-by-hop',
    'GET',
    'Connection: transfer-encoding\r\nTransfer-Encoding: chunked\r\n',
    chunks(HIDDEN),
  ),
  ok('HTTP/2 with a request in the body of a GET', {
    connect: `${B}:443`,
    h2: h2(B, { ':path': '/outer' }),
    h2Body: HIDDEN,
    arrive: ['/outer'],
  }),
  unframed(
    'a length and chunks at once',
    `Content-Length: ${HIDDEN.length}\r\nTransfer-Encoding: chunked\r\n`,
    chunks(HIDDEN),
  ),
  unframed('two lengths', `Content-Length: 0\r\nContent-Length: ${HIDDEN.length}\r\n`, HIDDEN),
  unframed('chunks under a false name', 'Transfer-Encoding: xchunked\r\n', chunks(HIDDEN)),
  unframed('chunks that are not the last coding', 'Transfer-Encoding: chunked, identity\r\n', chunks(HIDDEN)),
  unframed('a length with a sign', `Content-Length: +${HIDDEN.length}\r\n`, HIDDEN),
  unframed('a space before the colon of a header', `Content-Length : ${HIDDEN.length}\r\n`, HIDDEN),
  unframed('a NUL in a header', 'X-Nul: a\0b\r\n', ''),
  ok('a second request in the same connection, whose Host is another', {
    connect: `${B}:443`,
    request: `${withBody('GET', '', '')}${get('elsewhere.test', undefined, '/second')}`,
    says: /^HTTP\/1\.1 200[^]*HTTP\/1\.1 421/,
    arrive: ['/outer'],
  }),
  inner('a folded header', get(B, `Authorization: Bearer\r\n ${P}\r\n`), /^HTTP\/1\.1 400/),
  inner('line ends without CR', get(B).replaceAll('\r\n', '\n'), /^HTTP\/1\.1 400/),
  inner(
    'a placeholder over two chunks of a body, which is passed on as it is',
    `POST / HTTP/1.1\r\nHost: ${B}\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n${chunks(P.slice(0, 9), P.slice(9))}`,
    /^HTTP\/1\.1 200/,
  ),
  inner(
    'a placeholder in a chunk extension',
    `POST / HTTP/1.1\r\nHost: ${B}\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n1;x=${P}\r\na\r\n0\r\n\r\n`,
    /^HTTP\/1\.1 200/,
  ),
  inner(
    'a placeholder in a trailer',
    `POST / HTTP/1.1\r\nHost: ${B}\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n0\r\nX-Late: ${P}\r\n\r\n`,
    /^HTTP\/1\.1 200/,
  ),
  inner('a placeholder as the name of a header', get(B, `${P}: x\r\n`), /^HTTP\/1\.1 200/),
  inner(
    'a placeholder over two headers of one name',
    get(B, `X-Half: ${P.slice(0, 9)}\r\nX-Half: ${P.slice(9)}\r\n`),
    /^HTTP\/1\.1 200/,
  ),
  inner('a placeholder in percent signs', get(B, '', `/?key=${P.replaceAll('_', '%5f')}`), /^HTTP\/1\.1 200/),
  inner('a request of HTTP/1.0, without a Host', `GET / HTTP/1.0\r\nCookie: ${P}\r\n\r\n`, /^HTTP\/1\.1 421/),
  inner('the URL of the bound host itself in the request line', get(B, undefined, `https://${B}/`), /^HTTP\/1\.1 421/),
  no('a switch to another protocol than WebSockets', {
    connect: `${B}:443`,
    request: get(B, `Authorization: Bearer ${P}\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n`).replace(
      'Connection: close',
      'Connection: Upgrade, HTTP2-Settings',
    ),
    says: /^HTTP\/1\.1 400/,
    arrive: [],
  }),
  no('a WebSocket whose host compresses unasked', {
    connect: `${B}:443`,
    request: get('$HOST', 'Upgrade: websocket\r\n', '/compressing').replace('Connection: close', 'Connection: Upgrade'),
    says: /^HTTP\/1\.1 101/,
  }),
  inner(
    'a WebSocket that also has a body',
    get(B, `Authorization: Bearer ${P}\r\nUpgrade: websocket\r\nContent-Length: ${HIDDEN.length}\r\n`).replace(
      'Connection: close',
      'Connection: Upgrade',
    ) + HIDDEN,
    /^HTTP\/1\.1 400/,
  ),
];
