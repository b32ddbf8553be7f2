import type { ConversationResponse, WireResponse } from '../../formats/vendor-text.js';
import { GatewayError } from '../../kernel/errors/errors.js';
import { CHAT_FORMAT } from '../../formats/chat/format.js';
import { relayStream, writtenStream, type ResponseContext } from './text-response.js';

const CONTEXT: ResponseContext = {
  format: CHAT_FORMAT,
  head: { id: 'gen-1', model: 'acme/text', provider: 'Acme', created: 1 },
  options: { excludesReasoning: false, choices: 1 },
};

/** An iterator of the items, which fails after the last item if `error` is set. Records whether `return` was called. */
function source<T>(items: readonly T[], error?: Error) {
  const left = [...items];
  const iterator = {
    wasReturned: false,
    next: (): Promise<IteratorResult<T, undefined>> => {
      if (left.length > 0) return Promise.resolve({ done: false, value: left.shift()! });
      return error ? Promise.reject(error) : Promise.resolve({ done: true, value: undefined });
    },
    return: (): Promise<IteratorResult<T, undefined>> => {
      iterator.wasReturned = true;
      return Promise.resolve({ done: true, value: undefined });
    },
  };
  return iterator;
}

describe('a stream of a vendor in the canonical form', () => {
  const text = [{ type: 'text', text: 'one' }] as const;
  const finish = [{ type: 'finish', reason: 'stop', native: 'stop' }] as const;
  const vendorOf = (deltas: ConversationResponse['deltas']): ConversationResponse => ({
    deltas,
    usage: () => undefined,
    usageFormat: 'v4',
    upstreamId: () => undefined,
  });

  it('is cancelled when its reader stops early', async () => {
    const deltas = source<readonly object[]>([text, text]);
    const { pieces } = writtenStream(vendorOf(deltas as ConversationResponse['deltas']), CONTEXT);
    await pieces.next();
    await pieces.return!();
    expect(deltas.wasReturned).toBe(true);
  });

  it('is not cancelled if it was read to its end', async () => {
    const deltas = source<readonly object[]>([text, finish]);
    const { pieces } = writtenStream(vendorOf(deltas as ConversationResponse['deltas']), CONTEXT);
    for (let step = await pieces.next(); !step.done; step = await pieces.next());
    expect(deltas.wasReturned).toBe(false);
  });
});

describe('a stream of a vendor in the format of the client', () => {
  const chunk = (more: object): Buffer =>
    Buffer.from(JSON.stringify({ id: 'a', choices: [{ index: 0, delta: { content: 'one' }, ...more }] }));
  const usage = Buffer.from(
    JSON.stringify({ id: 'a', choices: [], usage: { prompt_tokens: 1, completion_tokens: 1 } }),
  );
  const lost = new GatewayError('provider_failed', 'The connection was lost');
  const vendorOf = (events: ReturnType<WireResponse['events']>): WireResponse => ({
    isStream: true,
    whole: () => Promise.reject(lost),
    events: () => events,
    each: async (take) => {
      for (let step = await events.next(); !step.done; step = await events.next()) await take(step.value);
    },
    discard: () => undefined,
    failure: () => lost,
  });
  const readAll = async (events: readonly Buffer[]): Promise<string> => {
    const { pieces } = relayStream(vendorOf(source([events], lost)), CONTEXT);
    let read = '';
    for (let step = await pieces.next(); !step.done; step = await pieces.next())
      read += Buffer.from(step.value).toString();
    return read;
  };

  it('is complete if the connection is lost after the finish reason and the usage', async () => {
    expect(await readAll([chunk({}), chunk({ finish_reason: 'stop' }), usage])).toContain('"finish_reason":"stop"');
  });

  it.each([
    ['the finish reason', [chunk({ finish_reason: 'stop' })]],
    ['the usage', [chunk({}), usage]],
  ])('fails if the connection is lost after only %s', async (_, events) => {
    await expect(readAll(events)).rejects.toBe(lost);
  });
});
