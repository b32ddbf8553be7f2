import { GatewayError } from '../../../src/kernel/errors/errors.js';
import { ChatRelay, type ChatRelayTerms } from '../../../src/formats/chat/relay.js';

export const TERMS: ChatRelayTerms = {
  id: 'gen-1',
  model: 'author/model',
  provider: 'Vendor',
  created: 1_700_000_000,
  choices: 1,
  excludesReasoning: false,
  failure: () => new GatewayError('provider_failed', 'The provider failed to answer this request'),
};

export interface Relayed {
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly chunks: readonly any[];
  readonly bytes: Buffer;
  readonly relay: ChatRelay;
  readonly failure: GatewayError | undefined;
}

/** Relays whole events, one per batch. */
export const relayed = (events: readonly unknown[], terms: Partial<ChatRelayTerms> = {}): Relayed =>
  relayedBatches(
    events.map((event) => [Buffer.from(typeof event === 'string' ? event : JSON.stringify(event))]),
    terms,
  );

export function relayedBatches(batches: readonly (readonly Buffer[])[], terms: Partial<ChatRelayTerms> = {}): Relayed {
  const relay = new ChatRelay({ ...TERMS, ...terms });
  const bytes = Buffer.concat([...batches.map((batch) => relay.push(batch)), relay.end()]);
  return { chunks: chunksOf(bytes), bytes, relay, failure: relay.failure };
}

/** The chunks of our own events. Checks their framing. */
export function chunksOf(bytes: Buffer): unknown[] {
  const events = bytes.toString().split('\n\n');
  if (events.pop() !== '') throw new Error('the last event is incomplete');
  return events.map((event) => {
    if (!event.startsWith('data: ') || event.includes('\n')) throw new Error(`not an event: ${event}`);
    return JSON.parse(event.slice(6)) as unknown;
  });
}
