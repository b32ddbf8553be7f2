import { B, basic, elsewhere, get, h2, no, ok, P, type EgressCase } from './egress-case.js';

/** Cases about the host that receives a secret. */
export const HOST_CASES: readonly EgressCase[] = [
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
  ok('a Host with a trailing dot', { connect: `${B}:443`, request: get(`${B}.`) }),
  ok('CONNECT in capitals', { connect: `API.Bound.TEST:443`, sni: B, request: get(B) }),
  ok('CONNECT with a trailing dot', { connect: `${B}.:443`, sni: B, request: get(B) }),
  ok('a TLS name in capitals', { connect: `${B}:443`, sni: 'API.bound.test', request: get(B) }),
  ok('a WebSocket', {
    connect: `${B}:443`,
    request: get(
      B,
      `Authorization: Bearer ${P}\r\nUpgrade: websocket\r\nSec-WebSocket-Key: x\r\nSec-WebSocket-Version: 13\r\n`,
    ).replace('Connection: close', 'Connection: Upgrade'),
  }),
  ok('a non-ASCII host in its xn-- form', {
    connect: 'xn--bcher-kva.bound.test:443',
    request: get('xn--bcher-kva.bound.test'),
  }),
  ok('a redirecting host', { connect: `${B}:443`, request: get(B, undefined, '/redirect') }),

  elsewhere('another host', 'elsewhere.test'),
  elsewhere('the target of a redirect', 'elsewhere.test', { request: get('$HOST', undefined, '/landed') }),
  elsewhere('a subdomain of the bound host', 'sub.api.bound.test'),
  elsewhere('the parent domain of the bound host', 'bound.test'),
  elsewhere('a host that starts with the bound host', 'api.bound.test.elsewhere.test'),
  elsewhere('a host that ends with the bound host', 'evil-api.bound.test'),
  elsewhere('the bound host with one more letter', 'api.bound.tests'),
  no('a host with a secret of another name', {
    connect: 'other.bound.test:443',
    request: get('$HOST'),
    says: /^HTTP\/1\.1 403/,
  }),
  elsewhere('another host with the bound host as the TLS name', 'elsewhere.test', { sni: B, request: get(B) }),
  elsewhere('another host with the bound host in the Host header', 'elsewhere.test', { request: get(B) }),
  no('another host over HTTP/2, which the host does not support', {
    connect: 'elsewhere.test:443',
    h2: h2('elsewhere.test'),
    says: null,
  }),
];
