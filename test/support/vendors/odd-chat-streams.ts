import {
  chatChunk,
  CHAT_TEXT,
  CHAT_USAGE,
  eventBytes,
  finishChunk,
  goodEvents,
  usageChunk,
  type ChatScript,
} from './scripted-chat-vendor.js';

export const VENDOR_KEY = 'vendor-secret-value';

export const WHOLE = CHAT_TEXT.join('');
const good = eventBytes(goodEvents());
const text = (content: string): object => chatChunk({ content });
export const role = chatChunk({ role: 'assistant', content: '' });
export const end = [finishChunk('stop'), usageChunk(), '[DONE]'];
export const bytes = (raw: string | Buffer, more: Partial<ChatScript> = {}): ChatScript => ({
  bytes: Buffer.from(raw),
  ...more,
});
const replaced = (from: string | RegExp, to: string): Buffer =>
  Buffer.from(good.toString().replaceAll(from as string, to));
const choice = (more: object): object =>
  chatChunk(null, { choices: [{ index: 0, delta: {}, finish_reason: null, ...more }] });
export const call = (piece: object): object => chatChunk({ tool_calls: [{ index: 0, ...piece }] });
export const LARGE = 'x"\\\n'.repeat(131_072);

/** The description of the stream, the script, the expected text, and the expected usage. Default: WHOLE, CHAT_USAGE. */
export const SURVIVED: [name: string, script: ChatScript, text?: string, usage?: unknown][] = [
  ['one byte per write', bytes(good, { splitBytes: 1 })],
  ['two bytes per write, which splits UTF-8', bytes(good, { splitBytes: 2 })],
  ['seven bytes per write', bytes(good, { splitBytes: 7 })],
  ['all in one write', bytes(good)],
  ['CRLF', bytes(replaced('\n', '\r\n'))],
  ['CRLF, three bytes per write', bytes(replaced('\n', '\r\n'), { splitBytes: 3 })],
  ['no space after data:', bytes(replaced('data: ', 'data:'))],
  ['event names, ids and retry times', bytes(replaced('data: ', 'event: message\nid: 1\nretry: 5\ndata: '))],
  ['comments and blank lines', bytes(`\n\n: keep-alive\n\n${replaced('\n\n', '\n\n: keep-alive\n\n\n').toString()}`)],
  ['data over two lines', bytes(replaced('{"id"', '{\ndata: "id"'))],
  ['no blank line at the end', bytes(good.subarray(0, -1))],
  ['no [DONE]', { events: goodEvents().slice(0, -1) }],
  ['no [DONE] and no blank line at the end', bytes(eventBytes(goodEvents().slice(0, -1)).subarray(0, -1))],
  ['half a line after the end', bytes(Buffer.concat([good, Buffer.from('data: {"cho')]))],
  [
    'half a line instead of [DONE]',
    bytes(Buffer.concat([eventBytes(goodEvents().slice(0, -1)), Buffer.from('data: {"cho')])),
  ],
  ['events after [DONE]', { events: [...goodEvents(), text('late'), { error: 'late' }, '[DONE]'] }],
  ['[DONE] with spaces', bytes(replaced('[DONE]', ' [DONE] '))],
  ['empty data', bytes(`data:\n\ndata: \n\n${good.toString()}`)],
  ['a byte order mark at the start', bytes(`: \ufeff\n\n${good.toString()}`)],
  ['a pause between writes', { events: goodEvents(), pauseMs: 5 }],
  ['usage twice', { events: [role, text(WHOLE), usageChunk({ prompt_tokens: 1 }), ...end] }],
  ['usage before the text', { events: [usageChunk(), role, text(WHOLE), finishChunk('stop'), '[DONE]'] }],
  ['usage before the finish', { events: [role, text(WHOLE), usageChunk(), finishChunk('stop'), '[DONE]'] }],
  [
    'usage in the chunk with the finish',
    { events: [role, text(WHOLE), { ...finishChunk('stop'), usage: CHAT_USAGE }, '[DONE]'] },
  ],
  [
    'usage of another type',
    { events: [role, text(WHOLE), finishChunk('stop'), { ...usageChunk(), usage: 'much' }] },
    WHOLE,
    'much',
  ],
  ['no usage', { events: [role, text(WHOLE), finishChunk('stop'), '[DONE]'] }, WHOLE, undefined],
  ['text after the finish', { events: [role, finishChunk('stop'), text(WHOLE), usageChunk(), '[DONE]'] }],
  [
    'the finish twice',
    { events: [role, text(WHOLE), finishChunk('stop'), finishChunk('stop'), usageChunk(), '[DONE]'] },
  ],
  ['the finish first', { events: [finishChunk('stop'), role, text(WHOLE), usageChunk()] }],
  ['no role', { events: [text(WHOLE), ...end] }],
  [
    'the role on every chunk',
    { events: CHAT_TEXT.map((content) => chatChunk({ role: 'assistant', content })).concat(end as never[]) },
  ],
  ['the role at the end', { events: [text(WHOLE), role, ...end] }],
  ['only a finish', { events: [finishChunk('stop'), usageChunk(), '[DONE]'] }, ''],
  [
    'content with the finish',
    { events: [role, choice({ delta: { content: WHOLE }, finish_reason: 'stop' }), usageChunk()] },
  ],
  [
    'a random member at the end of each chunk',
    {
      events: goodEvents().map((event, n) =>
        typeof event === 'string' ? event : { ...(event as object), obfuscation: 'x'.repeat(n) },
      ),
    },
  ],
  [
    'another id on each chunk',
    {
      events: goodEvents().map((event, n) =>
        typeof event === 'string' ? event : { ...(event as object), id: `c-${n}` },
      ),
    },
  ],
  [
    'members in another order',
    {
      events: goodEvents().map((event) =>
        typeof event === 'string' ? event : Object.fromEntries(Object.entries(event as object).toReversed()),
      ),
    },
  ],
  [
    'spaces between members',
    bytes(
      eventBytes(
        goodEvents().map((event) =>
          typeof event === 'string' ? event : JSON.stringify(event, null, 1).replaceAll('\n', ' '),
        ),
      ),
    ),
  ],
  ['text as escape sequences', bytes(good.toString().replaceAll('é😀', '\\u00e9\\ud83d\\ude00'))],
  ['a surrogate pair split over two chunks', { events: [role, text('\ud83d'), text('\ude00'), ...end] }, '😀'],
  ['a text of 512 KiB in one chunk', { events: [role, text(LARGE), ...end] }, LARGE],
  [
    'a text of 512 KiB, 16 KiB per write',
    bytes(eventBytes([role, text(LARGE), ...end]), { splitBytes: 16_384 }),
    LARGE,
  ],
  [
    '20,000 chunks',
    { bytes: eventBytes([role, ...Array.from({ length: 20_000 }, () => text('ab')), ...end]) },
    'ab'.repeat(20_000),
  ],
  [
    '20,000 chunks that all differ',
    {
      bytes: eventBytes([
        role,
        ...Array.from({ length: 20_000 }, (_, n) => chatChunk({ content: 'ab' }, { n })),
        ...end,
      ]),
    },
    'ab'.repeat(20_000),
  ],
  ['a member named __proto__', bytes(replaced('"usage":null', '"__proto__":{"x":1},"usage":null'))],
  ['chunks that are empty objects', { events: [{}, role, {}, text(WHOLE), {}, ...end] }],
  ['choices of another type', { events: [role, { ...chatChunk(null), choices: 'none' }, text(WHOLE), ...end] }],
  ['a choice that is null', { events: [role, chatChunk(null, { choices: [null] }), text(WHOLE), ...end] }],
  ['content of another type', { events: [role, choice({ delta: { content: [WHOLE] } }), ...end] }],
];

/** The description of the stream, the script, and the expected text before the failure. */
export const FAILED: [name: string, script: ChatScript, text?: string][] = [
  ['ends without a finish', { events: [role, text('a')] }, 'a'],
  ['ends after the role', { events: [role] }],
  ['is empty', bytes('')],
  ['is comments only', bytes(': nothing\n\n: more\n\n')],
  ['has only [DONE]', { events: ['[DONE]'] }],
  ['has [DONE] without a finish', { events: [role, text('a'), '[DONE]'] }, 'a'],
  ['is cut within a chunk', bytes(eventBytes([role, text('a'), text('b')]).subarray(0, -20)), 'a'],
  ['is reset', { events: [role, text('a'), text('b'), ...end], resetAfter: 2, pauseMs: 30 }, 'a'],
  ['stalls', { events: [role, text('a'), text('b'), ...end], stallAfter: 2 }, 'a'],
  ['has data that is not JSON', bytes('data: hello\n\n')],
  ['has a number', bytes('data: 5\n\n')],
  ['has half an object', bytes(`${eventBytes([role, text('a')]).toString()}data: {"choices":[\n\n`), 'a'],
  ['has HTML', bytes('<html>\n<body>data: x</body>\n\n')],
  ['has a zero byte in a text', bytes(replaced('world', 'wor\u0000ld')), 'Hello, '],
  ['has an error object', { events: [role, text('a'), { error: { message: `bad ${VENDOR_KEY}`, code: 400 } }] }, 'a'],
  ['has an error as text', { events: [role, text('a'), { error: 'oops' }, ...end] }, 'a'],
  ['has an error event', { events: [role, { type: 'error', error: { type: 'overloaded_error', message: 'x' } }] }],
  ['has a detail', { events: [{ detail: 'Not found' }] }],
  ['finishes with an error', { events: [role, text('a'), finishChunk('error'), usageChunk(), '[DONE]'] }, 'a'],
  [
    'finishes one of its two choices',
    { events: [role, chatChunk(null, { choices: [{ index: 1, delta: { content: '' } }] }), ...end] },
  ],
];
