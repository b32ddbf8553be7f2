import { body, DEEP, MB, type HostileResponse } from './hostile-responses.js';
import { bytes } from '../vendors/odd-chat-streams.js';
import type { ChatScript } from '../vendors/scripted-chat-vendor.js';
import { TEXT_VENDORS } from '../vendors/text-vendor-formats.js';

const { anthropic } = TEXT_VENDORS;
const turn = { text: ['Hello', ', ', 'é😀'], finish: 'end_turn', usage: anthropic.usage };
const withCall = {
  call: { id: 'toolu_1', name: 'f', input: { text: 'x"\\'.repeat(MB / 3) } },
  finish: 'tool_use',
  usage: anthropic.usage,
};
const parts = anthropic.events(turn);
const whole = Buffer.concat(parts);
const sent = (
  name: string,
  raw: Buffer | string | readonly (Buffer | string)[],
  more: Partial<ChatScript> = {},
  rest: Partial<HostileResponse> = {},
): HostileResponse => ({
  name,
  script: bytes(Array.isArray(raw) ? Buffer.concat(raw.map((piece) => Buffer.from(piece))) : (raw as Buffer), more),
  ...rest,
});
const good = { text: 'Hello, é😀' };
const failing = { fails: true };
const event = (value: object): string =>
  `event: ${(value as { type?: string }).type}\ndata: ${JSON.stringify(value)}\n\n`;
const delta = (value: object, index: unknown = 0): string =>
  event({ type: 'content_block_delta', index, delta: value });
const [start = '', ...rest] = parts.map(String);
const last = parts.slice(-2).map(String);

/** Streams of Anthropic's `/messages`, received through a package. */
export const MESSAGE_STREAMS: readonly HostileResponse[] = [
  ...[1, 2, 3, 7, 64].map((splitBytes) => sent(`${splitBytes} bytes per write`, whole, { splitBytes }, good)),
  sent('CRLF', whole.toString().replaceAll('\n', '\r\n'), {}, good),
  sent('CRLF, three bytes per write', whole.toString().replaceAll('\n', '\r\n'), { splitBytes: 3 }, good),
  sent('bare CR', whole.toString().replaceAll('\n', '\r')),
  sent('comments and blank lines', `\n\n: x\n\n${whole.toString().replaceAll('\n\n', '\n\n: y\n\n\n')}`, {}, good),
  sent('no blank line at the end', whole.subarray(0, -1)),
  sent('no event names', whole.toString().replaceAll(/event: .*\n/g, ''), {}, good),
  sent('a byte order mark', `\ufeff${whole.toString()}`),
  ...parts.map((_, index) =>
    sent(`the end after ${index} events`, parts.slice(0, index), {}, index < parts.length - 1 ? failing : {}),
  ),
  ...parts.map((_, index) =>
    sent(`a reset after ${index} events`, whole, { events: parts.map(String), resetAfter: index }),
  ),
  ...parts.map((part, index) => sent(`event ${index} twice`, parts.toSpliced(index, 0, part))),
  ...parts.map((_, index) => sent(`without event ${index}`, parts.toSpliced(index, 1))),
  sent('all events in reverse order', parts.toReversed(), {}, failing),
  sent('half an event', whole.subarray(0, whole.length / 2), {}, failing),
  sent('a stall', whole.subarray(0, 900), { splitBytes: 450, stallAfter: 1 }, failing),
  sent('an error as the first event', anthropic.errorEvent, {}, failing),
  sent('an error in the middle of the stream', [...parts.slice(0, 4), anthropic.errorEvent], {}, failing),
  sent('an error without members', [...parts.slice(0, 4), 'event: error\ndata: {"type":"error"}\n\n'], {}, failing),
  sent('an event that is not JSON', [start, 'data: hello\n\n'], {}, failing),
  ...['null', '7', '"x"', '[]', '{}', '{"type":null}', '{"type":"nonsense"}', '{"type":"__proto__"}'].map((json) =>
    sent(`an event ${json}`, [start, `data: ${json}\n\n`, ...rest]),
  ),
  sent('a deeply nested event', [start, `data: {"type":"x","a":${'['.repeat(DEEP)}${']'.repeat(DEEP)}}\n\n`, ...rest]),
  sent('an event of 20 MB', [
    start,
    rest[0]!,
    rest[1]!,
    delta({ type: 'text_delta', text: 'x'.repeat(20 * MB) }),
    ...rest.slice(2),
  ]),
  sent(
    '100,000 tiny events',
    [
      start,
      rest[0]!,
      rest[1]!,
      ...Array.from({ length: 100_000 }, () => delta({ type: 'text_delta', text: 'x' })),
      ...rest.slice(2),
    ],
    { splitBytes: 60_000 },
  ),
  sent('arguments of 1 MB', anthropic.events(withCall), { splitBytes: 60_000 }),
  sent(
    'arguments in 10,000 pieces',
    anthropic
      .events({ ...withCall, call: { ...withCall.call, input: {} } })
      .flatMap((part) =>
        part.includes('input_json_delta')
          ? Array.from({ length: 5_000 }, () =>
              Buffer.from(delta({ type: 'input_json_delta', partial_json: '"\\x'.repeat(33) })),
            )
          : [part],
      ),
    { splitBytes: 60_000 },
  ),
  ...[
    delta({ type: 'text_delta' }),
    delta({ type: 'text_delta', text: 7 }),
    delta({ type: 'nonsense' }),
    delta({ type: 'text_delta', text: 'x' }, 9),
    delta({ type: 'text_delta', text: 'x' }, 'a'),
    delta({ type: 'signature_delta', signature: 'x' }),
    delta({ type: 'input_json_delta', partial_json: '{' }),
  ].map((odd) => sent(`an odd delta ${odd.slice(32, 110).trim()}`, [start, rest[0]!, rest[1]!, odd, ...rest.slice(2)])),
  ...['nonsense', 'pause_turn', '', null, 7].map((reason) =>
    sent(`the reason ${JSON.stringify(reason)}`, [
      ...parts.slice(0, -2),
      event({ type: 'message_delta', delta: { stop_reason: reason }, usage: { output_tokens: 7 } }),
      last[1]!,
    ]),
  ),
  ...[null, 'x', {}, { output_tokens: -1 }, { output_tokens: 1e308 }, { output_tokens: 'x' }].map((usage) =>
    sent(`the usage ${JSON.stringify(usage)}`, [
      ...parts.slice(0, -2),
      event({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage }),
      last[1]!,
    ]),
  ),
  { name: 'a body instead of a stream', script: { body: anthropic.json(turn) } },
];

const messageBody = (more: object): object => ({ ...anthropic.json(turn), ...more });

/** Complete responses of `/messages`. */
export const MESSAGES: readonly HostileResponse[] = [
  ...[
    null,
    7,
    'x',
    {},
    [],
    [null],
    [{}],
    [{ type: 'text' }],
    [{ type: 'text', text: 7 }],
    [{ type: 'nonsense' }],
    [{ type: 'tool_use', id: 7 }],
  ].map((content) => body(`the content ${JSON.stringify(content)}`, messageBody({ content }))),
  ...[
    null,
    7,
    'x',
    {},
    { input_tokens: -1, output_tokens: 1 },
    { input_tokens: 1e308, output_tokens: 1e308 },
    { input_tokens: '1', output_tokens: 0.5 },
  ].map((usage) => body(`the usage ${JSON.stringify(usage)}`, messageBody({ usage }))),
  ...['nonsense', '', null, 7, 'refusal', 'pause_turn'].map((reason) =>
    body(`the reason ${JSON.stringify(reason)}`, messageBody({ stop_reason: reason })),
  ),
  body('an error', anthropic.errorBody),
  body('a text of 8 MB', messageBody({ content: [{ type: 'text', text: 'é"\\\n'.repeat(2 * MB) }] })),
  body('arguments of 1 MB', anthropic.json(withCall)),
  body(
    'a deeply nested member',
    JSON.stringify(messageBody({ x: 1 })).replace('"x":1', `"x":${'['.repeat(DEEP)}${']'.repeat(DEEP)}`),
  ),
  body(
    'deeply nested arguments',
    JSON.stringify(anthropic.json({ ...withCall, call: { ...withCall.call, input: { x: 1 } } })).replace(
      '"x":1',
      `"x":${'['.repeat(DEEP)}${']'.repeat(DEEP)}`,
    ),
  ),
];
