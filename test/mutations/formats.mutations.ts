import type { Mutation } from './mutation.js';

export const FORMATS: readonly Mutation[] = [
  {
    name: 'id-of-a-tool-call-replaced',
    file: 'src/formats/messages/block-steps.ts',
    text: 'id: id || `toolu_${this.idPrefix}_${call}`',
    replacement: 'id: `toolu_${this.idPrefix}_${call}`',
    tests: ['src/formats/messages/writers.spec.ts', 'test/e2e/messages/messages.e2e-spec.ts'],
  },
  {
    name: 'tool-result-without-the-id-of-its-call',
    file: 'src/formats/chat/write-request.ts',
    text: 'tool_call_id: callId,',
    replacement: '',
    tests: ['test/contracts/chat-request-writer.spec.ts', 'test/contracts/format-pairs'],
  },
  {
    name: 'stop-reason-of-a-cut-response-is-a-normal-end',
    file: 'src/formats/messages/events.ts',
    text: "length: 'max_tokens',",
    replacement: "length: 'end_turn',",
    tests: ['src/formats/messages/writers.spec.ts', 'test/e2e/messages/messages.e2e-spec.ts'],
  },
  {
    name: 'unknown-finish-reason-is-a-normal-end',
    file: 'src/formats/finish-reason.ts',
    text: "?? 'error'",
    replacement: "?? 'stop'",
    tests: ['src/formats/chat', 'test/e2e/chat-money/native-finish-reason.e2e-spec.ts'],
  },
  {
    name: 'cached-tokens-not-reported',
    file: 'src/formats/chat/events.ts',
    text: 'cached_tokens: usage.cacheRead,',
    replacement: 'cached_tokens: 0,',
    tests: ['test/e2e/chat/converted-chats.e2e-spec.ts'],
  },
  {
    name: 'cache-reads-left-out-of-the-prompt',
    file: 'src/formats/usage-readers.ts',
    text: 'addReadings(input, cacheRead, writes.cacheWrite5m, writes.cacheWrite1h)',
    replacement: 'input',
    tests: ['src/inference/text/usage-prices.spec.ts', 'test/contracts/vendor-usage-prices.spec.ts'],
  },
  {
    name: 'copied-choices-beside-a-second-member',
    file: 'src/formats/chat/complete.ts',
    text: 'if (!content?.startsWith(MARK)) return undefined;',
    replacement: 'if (content === undefined) return undefined;',
    tests: ['src/formats/relay/learnt-choices.spec.ts'],
  },
  {
    name: 'chat-stream-without-its-last-line',
    file: 'src/formats/chat/events.ts',
    text: String.raw`export const DONE = 'data: [DONE]\n\n';`,
    replacement: "export const DONE = '';",
    tests: ['test/e2e/chat/chat-streams.e2e-spec.ts', 'src/formats/chat'],
  },
  {
    name: 'comments-of-a-stream-read-as-data',
    file: 'src/providers/wire/event-lines.ts',
    text: `bytes[start] === DATA[0] &&
      bytes.compare(DATA, 0, DATA.length, start, start + DATA.length) === 0`,
    replacement: 'bytes[start] !== 0x65',
    tests: ['src/providers/wire/event-lines.spec.ts', 'test/e2e/vendors/chat-vendor-streams.e2e-spec.ts'],
  },
  {
    name: 'vectors-of-different-lengths-passed-on',
    file: 'src/providers/wire/vectors.ts',
    text: "if (dimensions !== length) throw badResponse('holds vectors of different lengths');",
    replacement: '',
    tests: ['src/providers/wire/vectors.spec.ts', 'test/e2e/inference/embeddings-hostile.e2e-spec.ts'],
  },
  {
    name: 'prototype-member-passed-on',
    file: 'src/kernel/text/prototype-members.ts',
    text: "if (name !== '__proto__' && !(",
    replacement: 'if (!(',
    tests: ['src/kernel/text/prototype-members.spec.ts', 'test/e2e/chat/prototype-members.e2e-spec.ts'],
  },
];
