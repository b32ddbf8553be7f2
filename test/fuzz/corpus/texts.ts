import { CHAT_MODELS } from '../../support/calls/chat-models.js';
import { goodCompletion } from '../../support/vendors/scripted-chat-vendor.js';
import { sent, type KeptRequest } from './kept-request.js';

const CHAT = 'POST /chat/completions';
const ANALYTICS = 'POST /analytics/query';
const json = JSON.stringify;
const PAID = { isPaid: true } as const;
const HELLO = '"messages":[{"role":"user","content":"Hello"}]';

/** Single surrogates, NUL and other scripts: characters that PostgreSQL, UTF-8 or another database encoding refuses. */
const TEXTS: Readonly<Record<string, string>> = {
  'half of a surrogate pair': '"a\\ud800"',
  'the other half': '"\\udc00b"',
  NUL: '"a\\u0000b"',
  'other scripts': '"Zoë 語 \u{1F600}"',
  '300 emoji': json('\u{1F600}'.repeat(300)),
  'a line separator': '"\\u2028"',
  'a right-to-left override': '"\\u202eabc"',
};

const NAMED: readonly (readonly [route: string, body: (text: string) => string])[] = [
  ['POST /keys', (text) => `{"name":${text}}`],
  ['POST /interns', (text) => `{"name":"kept","description":${text}}`],
  ['POST /interns', (text) => `{"name":${text}}`],
  ['POST /workspaces', (text) => `{"name":${text},"slug":"x"}`],
  ['POST /end-users', (text) => `{"user":${text}}`],
  ['POST /byok', (text) => `{"provider":"openai","key":${text}}`],
  ['PUT /vault/secrets/{name}', (text) => `{"value":${text},"hosts":["example.com"]}`],
  [ANALYTICS, (text) => `{"metrics":["request_count"],"filters":[{"field":"user","operator":"eq","value":${text}}]}`],
  [ANALYTICS, (text) => `{"metrics":["request_count"],"filters":[{"field":"app","operator":"in","value":[${text}]}]}`],
  [CHAT, (text) => `{"model":"builtin/eliza",${HELLO},"user":${text},"session_id":${text}}`],
  ['POST /audio/speech', (text) => `{"model":"builtin/flite","voice":"slt","input":${text}}`],
  ['POST /embeddings', (text) => `{"model":"openai/text-embedding-3-small","input":[${text}]}`],
  ['POST /images', (text) => `{"model":"openai/gpt-image-1","prompt":${text}}`],
];

export const texts = (): KeptRequest[] => [
  ...Object.entries(TEXTS).flatMap(([name, text]) =>
    NAMED.map(([route, body], at) => sent(`${name} in a text of ${route} (${at})`, route, body(text), PAID)),
  ),
  sent(
    'an empty list of keys in a filter',
    ANALYTICS,
    '{"metrics":["request_count"],"filters":[{"field":"api_key_id","operator":"in","value":[]}]}',
  ),
  ...['a\\u0000b', '\\ud800', 'x'.repeat(100_000), '__proto__'].flatMap((id) =>
    [false, true].map((stream) =>
      sent(
        `a vendor's response with the id ${id.slice(0, 20)}${stream ? ', although a stream was requested' : ''}`,
        CHAT,
        `{"model":"${CHAT_MODELS.bytes}","stream":${stream},${HELLO}}`,
        {
          ...PAID,
          vendor: { kind: 'body', body: json({ ...(goodCompletion() as object), id: 'ID' }).replace('ID', () => id) },
        },
      ),
    ),
  ),
];

export const tokensAndVoices = (): KeptRequest[] => [
  ...['a', ' '].map((unit) =>
    sent(
      `a count of 512 KiB of ${json(unit)} took 398 s`,
      'POST /messages/count_tokens',
      () =>
        json({
          model: CHAT_MODELS.bytes,
          messages: [{ role: 'user', content: unit.repeat(524_288) }],
        }),
      PAID,
    ),
  ),
  sent(
    'letters at speed 0.25 kept 85 MB of a thread',
    'POST /audio/speech',
    json({ model: 'builtin/flite', voice: 'slt', input: 'WXYZ '.repeat(20), speed: 0.25 }),
    PAID,
  ),
];
