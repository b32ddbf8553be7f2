import { B, basic, get, h2, inner, no, P, type EgressCase } from './egress-case.js';

/** Cases of requests within a tunnel. */
export const REQUEST_CASES: readonly EgressCase[] = [
  no('the bound host on port 80, without TLS', {
    connect: `${B}:80`,
    bare: true,
    request: get(B),
    says: /^HTTP\/1\.1 200/,
  }),
  no('the bound host on port 443, without TLS', { connect: `${B}:443`, bare: true, request: get(B), says: null }),
  no('a TLS name that differs', { connect: `${B}:443`, sni: 'elsewhere.test', request: get(B), says: null }),
  no('a subdomain of the bound host as the TLS name', {
    connect: `${B}:443`,
    sni: `sub.${B}`,
    request: get(B),
    says: null,
  }),
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
  no('a bound host that resolves to a private address', {
    connect: 'private.bound.test:443',
    request: get('$HOST'),
    says: /^HTTP\/1\.1 403/,
  }),
  inner('another Host', get('elsewhere.test'), /^HTTP\/1\.1 421/),
  inner('a Host on another port', get(`${B}:8443`), /^HTTP\/1\.1 421/),
  inner('a subdomain of the bound host as the Host', get(`sub.${B}`), /^HTTP\/1\.1 421/),
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
    'CONNECT inside the tunnel',
    `CONNECT elsewhere.test:443 HTTP/1.1\r\nHost: ${B}\r\nAuthorization: Bearer ${P}\r\n\r\n`,
    /^(HTTP\/1\.1 4\d\d|$)/,
  ),
  inner('TRACE, whose response contains the request', get(B).replace('GET', 'TRACE'), /^HTTP\/1\.1 4\d\d/),
  inner(
    'a secret that is bound to another host',
    get(B, 'Authorization: Bearer __vault__other_token__\r\n'),
    /^HTTP\/1\.1 403/,
  ),
  inner('a secret that does not exist', get(B, 'Authorization: Bearer __vault__no_such__\r\n'), /^HTTP\/1\.1 403/),
  inner(
    'a placeholder in the body, which is forwarded unchanged',
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
  no('HTTP/2 with a Host header that differs from the authority', {
    connect: `${B}:443`,
    h2: h2(B, { host: 'elsewhere.test' }),
    says: /^(HTTP\/2 421|$)/,
  }),
  no('HTTP/2 without an authority', {
    connect: `${B}:443`,
    h2: { ':method': 'GET', ':path': '/', host: 'elsewhere.test', authorization: `Bearer ${P}` },
    says: /^(HTTP\/2 421|$)/,
  }),
];
