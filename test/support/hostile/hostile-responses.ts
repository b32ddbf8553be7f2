import { brotliCompressSync, gzipSync } from 'node:zlib';
import { bytes } from '../vendors/odd-chat-streams.js';
import type { ChatScript } from '../vendors/scripted-chat-vendor.js';

export interface HostileResponse {
  readonly name: string;
  readonly script: ChatScript;
  /** The text of a complete response; absent = any result is allowed. */
  readonly text?: string;
  /** Whether the call must fail. */
  readonly fails?: boolean;
}

export const body = (name: string, raw: unknown, more: Partial<ChatScript> = {}): HostileResponse => ({
  name,
  script: { body: raw, ...more },
});
const html = '<!doctype html><html><body>502 Bad Gateway</body></html>';
const type = (contentType: string): Partial<ChatScript> => ({ headers: { 'content-type': contentType } });
export const DEEP = 100_000;
export const MB = 1_048_576;
const zeros = Buffer.alloc(100 * MB);

/** Bodies and heads that are invalid in every format. */
export const ANY_FORMAT: readonly HostileResponse[] = [
  ...[200, 203, 204, 206, 299].map((status) => body(`the status ${status} without a body`, '', { status })),
  ...[300, 301, 304, 400, 402, 408, 418, 429, 451, 499, 500, 501, 503, 529, 599].map((status) =>
    body(`the status ${status}`, { error: { message: 'no', code: 'odd' } }, { status }),
  ),
  body('a redirect', '', { status: 302, headers: { location: 'http://127.0.0.1:1/' } }),
  body('a redirect to itself', '', { status: 307, headers: { location: '/v1/chat/completions' } }),
  ...['null', 'true', '7', '"x"', '[]', '{}', '[[]]', '{', '', ' ', '\0', 'NaN'].map((raw) =>
    body(`the body ${raw}`, raw),
  ),
  body('HTML', html, type('text/html')),
  body('HTML with the content type of JSON', html),
  body('HTML with the content type of a stream', html, type('text/event-stream')),
  body('HTML with an error status', html, { status: 502, ...type('text/html') }),
  body('a body of 70 KB with an error status', 'x'.repeat(70_000), { status: 400 }),
  body('a picture', '\x89PNG\r\n', type('image/png')),
  body('no content type', {}, type('')),
  body('an odd content type', {}, type(';;;=,')),
  body('a content-length shorter than the body', '{"choices":[]}', { headers: { 'content-length': '9' } }),
  body('a content-length longer than the body', '{"choices":[]}', {
    headers: { 'content-length': '900' },
    stallAfter: 1,
  }),
  ...[
    ['gzip', gzipSync(zeros)],
    ['br', brotliCompressSync(Buffer.alloc(MB))],
    ['gzip', Buffer.from('no gzip')],
    ['nonsense', Buffer.from('{}')],
  ].flatMap(([encoding, compressed]): HostileResponse[] =>
    ['application/json', 'text/event-stream'].map((contentType) => ({
      name: `the encoding ${encoding as string}, ${compressed!.length} bytes of ${contentType}`,
      script: bytes(compressed as Buffer, {
        headers: { 'content-type': contentType, 'content-encoding': encoding as string },
      }),
      fails: true,
    })),
  ),
  { name: 'silence', script: { events: [], stallAfter: 0, bytes: Buffer.from(' ') }, fails: true },
  { name: 'an immediate reset', script: { bytes: Buffer.from(' '), resetAfter: 0 }, fails: true },
  { name: 'no body after the head', script: { body: {}, stallAfter: 0 }, fails: true },
  body('an object of 30 MB', `{"a":"${'x'.repeat(30 * MB)}"}`),
  body('lists that are nested 100,000 deep', `{"choices":${'['.repeat(DEEP)}${']'.repeat(DEEP)}}`),
  body('20,000 members', `{${Array.from({ length: 20_000 }, (_, index) => `"k${index}":1`).join(',')}}`),
];
