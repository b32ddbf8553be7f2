import { crc32 } from 'node:zlib';
import type { TextVendorFormat } from './text-vendor-formats.js';

/** One message of the binary event stream. */
function frame(type: string, payload: object, messageType = 'event'): Buffer {
  const headers = Object.entries({
    [messageType === 'event' ? ':event-type' : ':exception-type']: type,
    ':content-type': 'application/json',
    ':message-type': messageType,
  }).map(([name, value]) => {
    const length = Buffer.alloc(2);
    length.writeUInt16BE(value.length);
    return Buffer.concat([Buffer.from([name.length]), Buffer.from(name), Buffer.from([7]), length, Buffer.from(value)]);
  });
  const head = Buffer.concat(headers);
  const body = Buffer.from(JSON.stringify(payload));
  const prelude = Buffer.alloc(8);
  prelude.writeUInt32BE(16 + head.length + body.length);
  prelude.writeUInt32BE(head.length, 4);
  const sum = (bytes: Buffer): Buffer => {
    const crc = Buffer.alloc(4);
    crc.writeUInt32BE(crc32(bytes));
    return crc;
  };
  const message = Buffer.concat([prelude, sum(prelude), head, body]);
  return Buffer.concat([message, sum(message)]);
}

/** The Converse API. */
export const bedrock: TextVendorFormat = {
  slug: 'amazon-bedrock',
  package: '@ai-sdk/amazon-bedrock',
  model: 'us.anthropic.claude-sonnet-4-5-20250929-v1:0',
  credential: JSON.stringify({ region: 'us-east-1', accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'bedrock-secret' }),
  contentType: 'application/vnd.amazon.eventstream',
  stop: 'end_turn',
  usage: {
    inputTokens: 10,
    outputTokens: 7,
    totalTokens: 367,
    cacheReadInputTokens: 300,
    cacheWriteInputTokens: 50,
    cacheDetails: [
      { ttl: '5m', inputTokens: 20 },
      { ttl: '1h', inputTokens: 30 },
    ],
  },
  json: ({ reasoning, text, call, finish, usage }) => ({
    output: {
      message: {
        role: 'assistant',
        content: [
          ...(reasoning ? [{ reasoningContent: { reasoningText: reasoning } }] : []),
          ...(text ? [{ text: text.join('') }] : []),
          ...(call ? [{ toolUse: { toolUseId: call.id, name: call.name, input: call.input } }] : []),
        ],
      },
    },
    stopReason: finish,
    usage,
    metrics: { latencyMs: 1 },
  }),
  events: ({ reasoning, text, call, finish, usage }) => {
    const frames = [frame('messageStart', { role: 'assistant' })];
    let contentBlockIndex = 0;
    const delta = (value: object): void =>
      void frames.push(frame('contentBlockDelta', { contentBlockIndex, delta: value }));
    const stop = (): void => void frames.push(frame('contentBlockStop', { contentBlockIndex: contentBlockIndex++ }));
    if (reasoning) {
      delta({ reasoningContent: { text: reasoning.text } });
      delta({ reasoningContent: { signature: reasoning.signature } });
      stop();
    }
    if (text) {
      for (const piece of text) delta({ text: piece });
      stop();
    }
    if (call) {
      const start = { toolUse: { toolUseId: call.id, name: call.name } };
      frames.push(frame('contentBlockStart', { contentBlockIndex, start }));
      delta({ toolUse: { input: JSON.stringify(call.input) } });
      stop();
    }
    return [
      ...frames,
      frame('messageStop', { stopReason: finish }),
      frame('metadata', { usage, metrics: { latencyMs: 1 } }),
    ];
  },
  errorEvent: frame('serviceUnavailableException', { message: 'Try again' }, 'exception'),
  errorBody: { message: 'The provided model identifier is invalid' },
};
