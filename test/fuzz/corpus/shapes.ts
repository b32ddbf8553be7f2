import { CHAT_MODELS } from '../../support/calls/chat-models.js';
import { sent, type KeptRequest } from './kept-request.js';

const KEYS = 'POST /keys';
const CHAT = 'POST /chat/completions';
const ANALYTICS = 'POST /analytics/query';
const PAID = { isPaid: true } as const;
const HELLO = '"messages":[{"role":"user","content":"Hello"}]';

const DEPTHS = [
  [64, undefined],
  [65, 400],
  [5_000, 400],
  [100_000, 400],
] as const;
const PROTOTYPES = [
  '"__proto__":{"model":"x","stream":true}',
  '"__proto__":null',
  '"__proto__":[]',
  '"\\u005f_proto__":{"a":1}',
  '"constructor":{"prototype":{"a":1}}',
  '"constructor":1',
  '"toString":1,"valueOf":{}',
  '"hasOwnProperty":false',
];
const objects = (count: number): string => Array.from({ length: count }, () => '{"a":1}').join(',');

export const shapes = (): KeptRequest[] => [
  ...[KEYS, ANALYTICS, CHAT, 'POST /interns', 'POST /images'].flatMap((route) =>
    DEPTHS.flatMap(([depth, status]) =>
      [
        ['[', ']'],
        ['{"a":', '}'],
      ].map(([open = '', close = '']) =>
        // The body itself counts as the first level.
        sent(
          `${depth} levels of ${open} to ${route}`,
          route,
          () => `{"unknown":${open.repeat(depth - 1)}${open === '[' ? '' : '1'}${close.repeat(depth - 1)}}`,
          { status },
        ),
      ),
    ),
  ),
  sent('16,384 objects are accepted', CHAT, `{"model":"builtin/eliza",${HELLO},"unknown":[${objects(16_382)}]}`, {
    ...PAID,
    status: 200,
  }),
  sent('16,385 objects are refused', CHAT, `{"model":"builtin/eliza",${HELLO},"unknown":[${objects(16_383)}]}`, {
    ...PAID,
    status: 400,
  }),
  ...PROTOTYPES.flatMap((member) => [
    sent(`${member} to a closed schema`, KEYS, `{"name":"x",${member}}`),
    sent(`${member} in a filter`, ANALYTICS, `{"metrics":["request_count"],"filters":[{"field":"user",${member}}]}`),
    sent(`${member} in a setting`, 'PUT /interns/{id}/settings', `{"allowed_hosts":["example.com"],${member}}`),
    ...Object.entries(CHAT_MODELS).flatMap(([way, model]) =>
      [
        `{"model":"${model}",${HELLO},${member}}`,
        `{"model":"${model}","messages":[{"role":"user","content":"x",${member}}]}`,
      ].map((body, at) => sent(`${member} in a chat, ${way} (${at})`, CHAT, body, PAID)),
    ),
  ]),
];
