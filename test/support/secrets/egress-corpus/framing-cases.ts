import {
  B,
  chunks,
  framed,
  get,
  h2,
  HIDDEN,
  inner,
  no,
  ok,
  P,
  unframed,
  withBody,
  type EgressCase,
} from './egress-case.js';

/** Cases about the boundary between two requests. */
export const FRAMING_CASES: readonly EgressCase[] = [
  framed('a request in the chunked body of another', 'POST', 'Transfer-Encoding: chunked\r\n', chunks(HIDDEN)),
  framed('a request in the chunked body of a GET', 'GET', 'Transfer-Encoding: chunked\r\n', chunks(HIDDEN)),
  framed('a request in the body of a DELETE', 'DELETE', `Content-Length: ${HIDDEN.length}\r\n`, HIDDEN),
  framed(
    'a request in the body of a GET that declares content-length as hop-by-hop',
    'GET',
    `Connection: content-length\r\nContent-Length: ${HIDDEN.length}\r\n`,
    HIDDEN,
  ),
  framed(
    'a request in the body of a GET that declares transfer-encoding as hop-by-hop',
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
    'both a content-length and chunked encoding',
    `Content-Length: ${HIDDEN.length}\r\nTransfer-Encoding: chunked\r\n`,
    chunks(HIDDEN),
  ),
  unframed('two content-length headers', `Content-Length: 0\r\nContent-Length: ${HIDDEN.length}\r\n`, HIDDEN),
  unframed('chunks with an unknown transfer coding', 'Transfer-Encoding: xchunked\r\n', chunks(HIDDEN)),
  unframed('chunked encoding that is not the last coding', 'Transfer-Encoding: chunked, identity\r\n', chunks(HIDDEN)),
  unframed('a content-length with a sign', `Content-Length: +${HIDDEN.length}\r\n`, HIDDEN),
  unframed('a space before the colon of a header', `Content-Length : ${HIDDEN.length}\r\n`, HIDDEN),
  unframed('a NUL in a header', 'X-Nul: a\0b\r\n', ''),
  ok('a second request with another Host on the same connection', {
    connect: `${B}:443`,
    request: `${withBody('GET', '', '')}${get('elsewhere.test', undefined, '/second')}`,
    says: /^HTTP\/1\.1 200[^]*HTTP\/1\.1 421/,
    arrive: ['/outer'],
  }),
  inner('a folded header', get(B, `Authorization: Bearer\r\n ${P}\r\n`), /^HTTP\/1\.1 400/),
  inner('line endings without CR', get(B).replaceAll('\r\n', '\n'), /^HTTP\/1\.1 400/),
  inner(
    'a placeholder that is split over two chunks of a body, which is forwarded unchanged',
    `POST / HTTP/1.1\r\nHost: ${B}\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n` +
      chunks(P.slice(0, 9), P.slice(9)),
    /^HTTP\/1\.1 200/,
  ),
  inner(
    'a placeholder in a chunk extension',
    `POST / HTTP/1.1\r\nHost: ${B}\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n1;x=${P}\r\n` +
      `a\r\n0\r\n\r\n`,
    /^HTTP\/1\.1 200/,
  ),
  inner(
    'a placeholder in a trailer',
    `POST / HTTP/1.1\r\nHost: ${B}\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n0\r\nX-Late: ${P}\r\n\r\n`,
    /^HTTP\/1\.1 200/,
  ),
  inner('a placeholder as the name of a header', get(B, `${P}: x\r\n`), /^HTTP\/1\.1 200/),
  inner(
    'a placeholder that is split over two headers of the same name',
    get(B, `X-Half: ${P.slice(0, 9)}\r\nX-Half: ${P.slice(9)}\r\n`),
    /^HTTP\/1\.1 200/,
  ),
  inner('a percent-encoded placeholder', get(B, '', `/?key=${P.replaceAll('_', '%5f')}`), /^HTTP\/1\.1 200/),
  inner('an HTTP/1.0 request without a Host', `GET / HTTP/1.0\r\nCookie: ${P}\r\n\r\n`, /^HTTP\/1\.1 421/),
  inner('the URL of the bound host itself in the request line', get(B, undefined, `https://${B}/`), /^HTTP\/1\.1 421/),
  no('an upgrade to a protocol other than WebSocket', {
    connect: `${B}:443`,
    request: get(B, `Authorization: Bearer ${P}\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n`).replace(
      'Connection: close',
      'Connection: Upgrade, HTTP2-Settings',
    ),
    says: /^HTTP\/1\.1 400/,
    arrive: [],
  }),
  no('a WebSocket whose host compresses although the client did not offer it', {
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
