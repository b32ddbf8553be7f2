import { setImmediate } from 'node:timers/promises';
import type { Pieces } from '../../billing/started-bytes.js';
import type { GatewayError } from '../../kernel/errors/errors.js';
import { withoutPrototypeMembers } from '../../kernel/text/prototype-members.js';
import { MAX_TEXT_RESPONSE_BYTES, type ConversationResponse, type WireResponse } from '../../formats/vendor-text.js';
import type { ClientFormat, ResponseHead, ResponseOptions, StreamEnding } from '../../formats/client-format.js';
import { incompleteResponse } from '../../formats/bad-response.js';
import { shortDeltas } from '../../formats/short-deltas.js';
import { ConversationReport, RelayedReport, type TextReport } from './text-report.js';

/** A response as a stream of the client's format, and the report on its call. */
export interface TextStream {
  readonly pieces: Pieces;
  readonly report: TextReport;
  readonly ending: StreamEnding;
}

/** A complete response in the client's format, and the report on its call. */
export interface TextBody {
  readonly body: (usage: object) => string;
  readonly report: TextReport;
}

/** The client's format, and the facts about the call that the response contains. */
export interface ResponseContext {
  readonly format: ClientFormat;
  readonly head: ResponseHead;
  readonly options: ResponseOptions;
}

/** For a vendor that sends the client's own format. */
export function relayStream(vendor: WireResponse, { format, head, options }: ResponseContext): TextStream {
  const relay = format.relay(head, options, (error) => vendor.failure(error));
  const pieces = vendor.isStream ? new RelayedPieces(vendor, relay) : relayedWhole(vendor, relay);
  return { pieces, report: new RelayedReport(relay, format), ending: relay };
}

/**
 * The relayed events of a vendor's stream. The first piece is read with `next`. The other pieces are passed to the
 * callback of `each`, which costs less than `next`.
 */
class RelayedPieces implements Pieces {
  readonly #events: AsyncIterator<readonly Buffer[], undefined>;
  #isOver = false;

  constructor(
    private readonly vendor: WireResponse,
    private readonly relay: ReturnType<ClientFormat['relay']>,
  ) {
    this.#events = vendor.events();
  }

  async next(): Promise<IteratorResult<Uint8Array, undefined>> {
    const { relay, vendor } = this;
    while (!this.#isOver && !relay.isDone && !relay.failure) {
      const events = await this.#events.next().catch((error: unknown) => this.#assertComplete(error));
      this.#isOver = events?.done !== false;
      const bytes = events?.done === false ? relay.push(events.value) : relay.end();
      if (bytes.length > 0) return { done: false, value: bytes };
    }
    if (relay.failure) {
      await this.return();
      throw relay.failure;
    }
    if (!this.#isOver) vendor.discard();
    this.#isOver = true;
    return { done: true, value: undefined };
  }

  async each(take: (piece: Uint8Array) => Promise<void> | undefined): Promise<void> {
    const { relay, vendor } = this;
    const pass = (bytes: Uint8Array): Promise<void> | undefined => {
      const wait = bytes.length > 0 ? take(bytes) : undefined;
      if (relay.failure) throw relay.failure;
      return wait;
    };
    if (!this.#isOver && !relay.isDone && !relay.failure)
      await vendor
        .each((events) => {
          const wait = pass(relay.push(events));
          if (relay.isDone) vendor.discard();
          return wait;
        })
        .catch((error: unknown) => this.#assertComplete(error));
    this.#isOver = true;
    await pass(relay.end());
  }

  async return(): Promise<IteratorResult<Uint8Array, undefined>> {
    this.#isOver = true;
    await this.#events.return?.();
    return { done: true, value: undefined };
  }

  /**
   * Accepts an error after the finish reason and the usage were received, because the stream is then complete. Throws
   * the error otherwise.
   */
  #assertComplete(error: unknown): undefined {
    const { failure, finished, usage } = this.relay;
    if (failure || !finished || usage === undefined) throw error;
  }
}

/** For a vendor that sent a complete response although a stream was requested. */
async function* relayedWhole(
  vendor: WireResponse,
  relay: ReturnType<ClientFormat['relay']>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const bytes = relay.pushWhole(await wholeOf(vendor));
  if (bytes.length > 0) yield bytes;
  if (relay.failure) throw relay.failure;
}

const wholeOf = async (vendor: WireResponse): Promise<Buffer> =>
  withoutPrototypeMembers(await vendor.whole(MAX_TEXT_RESPONSE_BYTES));

export async function relayBody(vendor: WireResponse, { format, head, options }: ResponseContext): Promise<TextBody> {
  const failure = (error: unknown): GatewayError => vendor.failure(error);
  const complete = format.complete(await wholeOf(vendor), head, options, failure);
  return { body: (usage) => complete.body(usage), report: new RelayedReport(complete, format) };
}

/** For a vendor whose response is in the canonical form. */
export function writtenStream(vendor: ConversationResponse, { format, head, options }: ResponseContext): TextStream {
  const writer = format.streamWriter(head, options);
  return { pieces: written(vendor, writer), report: new ConversationReport(vendor, writer), ending: writer };
}

async function* written(
  vendor: ConversationResponse,
  writer: ReturnType<ClientFormat['streamWriter']>,
): AsyncGenerator<Uint8Array, void, undefined> {
  let isRead = false;
  try {
    for (;;) {
      const step = await vendor.deltas.next();
      if (step.done) break;
      let isFirst = true;
      for (const deltas of shortDeltas(step.value)) {
        if (!isFirst) await setImmediate();
        isFirst = false;
        const text = writer.write(deltas);
        if (text !== '') yield Buffer.from(text);
      }
    }
    isRead = true;
  } finally {
    if (!isRead) await vendor.deltas.return?.();
  }
  if (!writer.finished) throw incompleteResponse();
}

export async function writtenBody(vendor: ConversationResponse, context: ResponseContext): Promise<TextBody> {
  const writer = context.format.completionWriter(context.head, context.options);
  for (let step = await vendor.deltas.next(); !step.done; step = await vendor.deltas.next()) writer.add(step.value);
  if (!writer.finished) throw incompleteResponse();
  const report = new ConversationReport(vendor, writer);
  return { body: (usage) => writer.body(usage, report.serviceTier()), report };
}
