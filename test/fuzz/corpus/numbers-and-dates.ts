import { CHAT_MODELS } from '../../support/calls/chat-models.js';
import { asked, sent, type KeptRequest } from './kept-request.js';

const KEYS = 'POST /keys';
const CHAT = 'POST /chat/completions';
const ANALYTICS = 'POST /analytics/query';
const json = JSON.stringify;
const PAID = { isPaid: true } as const;
const HELLO = '"messages":[{"role":"user","content":"Hello"}]';

const NUMBERS = [
  '1e999',
  '-1e999',
  '1e-999',
  '-0',
  '9007199254740993',
  '9'.repeat(400),
  '1'.repeat(16_385),
  '0.'.padEnd(402, '3'),
];
const NUMERIC: readonly (readonly [route: string, body: (number: string) => string])[] = [
  [KEYS, (number) => `{"name":"x","limit":${number}}`],
  [ANALYTICS, (number) => `{"metrics":["request_count"],"limit":${number}}`],
  [ANALYTICS, (n) => `{"metrics":["request_count"],"filters":[{"field":"status","operator":"eq","value":${n}}]}`],
  [CHAT, (number) => `{"model":"${CHAT_MODELS.bytes}",${HELLO},"max_tokens":${number},"seed":${number}}`],
  [CHAT, (number) => `{"model":"${CHAT_MODELS.package}",${HELLO},"temperature":${number},"top_k":${number}}`],
  ['POST /images', (number) => `{"model":"openai/gpt-image-1","prompt":"x","n":${number},"seed":${number}}`],
  ['POST /audio/speech', (n) => `{"model":"builtin/flite","voice":"slt","input":"x","speed":${n}}`],
  ['POST /embeddings', (n) => `{"model":"openai/text-embedding-3-small","input":[${n}],"dimensions":${n}}`],
  ['PATCH /workspaces/{id}/settings', (number) => `{"default_max_output_tokens":${number}}`],
];

export const numbers = (): KeptRequest[] =>
  NUMERIC.flatMap(([route, body], at) =>
    NUMBERS.map((number) => sent(`${number.slice(0, 20)} to ${route} (${at})`, route, body(number), PAID)),
  );

const DATES = [
  '0000-01-01T00:00:00Z',
  '0000-12-31',
  '0001-01-01T00:00:00Z',
  '-000001-01-01T00:00:00Z',
  '+275760-09-13T00:00:00Z',
  '+275760-09-13T00:00:00.001Z',
  '9999-12-31T23:59:59.999999999Z',
  '2026-12-31T23:59:60Z',
  '2026-01-01T24:00:00Z',
  '2026-02-30',
  '2026-13-01T00:00:00Z',
  '2026-01-01T00:00:00+24:00',
];

export const dates = (): KeptRequest[] =>
  DATES.flatMap((date) => [
    sent(`a key that expires ${date}`, KEYS, json({ name: 'x', expires_at: date })),
    sent(
      `a window from ${date}`,
      ANALYTICS,
      json({ metrics: ['request_count'], time_range: { start: date, end: '2026-12-01' } }),
    ),
    sent(
      `a window until ${date}`,
      ANALYTICS,
      json({ metrics: ['request_count'], time_range: { start: '2026-01-01', end: date } }),
    ),
    sent(
      `each hour until ${date}`,
      ANALYTICS,
      json({ metrics: ['request_count'], granularity: 'hour', time_range: { start: date, end: date } }),
    ),
    ...['/generations?start', '/generations?end', '/ledger?start', '/audit?start', '/activity?date'].map((query) =>
      asked(`${query} ${date}`, `${query}=${encodeURIComponent(date)}`),
    ),
  ]);
