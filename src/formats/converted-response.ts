import type { GatewayError } from '../kernel/errors/errors.js';
import type { Delta } from './conversation.js';
import {
  MAX_TEXT_RESPONSE_BYTES,
  type ConversationResponse,
  type VendorFormat,
  type WireResponse,
} from './vendor-text.js';
import { vendorResult } from './response-members.js';

/** Converts a vendor's response in one wire format to steps of the canonical form. */
export interface DeltaReader {
  /** The steps for the data of one event. Throws GatewayError if the vendor fails. */
  push(event: Buffer): readonly Delta[];
  /** The steps of a complete response. */
  whole(body: Buffer): readonly Delta[];
  /** The last steps, at the end of the stream. Throws GatewayError if the response is not complete. */
  end(): readonly Delta[];
  /** Whether later events of the stream can be ignored. */
  readonly isDone: boolean;
  /** Whether everything needed was received, so that a broken connection can be ignored. */
  readonly isComplete: boolean;
  /** The usage that the vendor reported; undefined = none yet. */
  readonly usage: unknown;
  readonly upstreamId: string | undefined;
  readonly serviceTier: string | undefined;
}

export interface ReaderTerms {
  /** Number of requested choices. */
  readonly choices: number;
  /** The `format` of entries in `reasoning_details` whose reasoning only this vendor can read. */
  readonly reasoningFormat: string;
  /** Converts an error object of the vendor to an error. */
  readonly failure: (error: unknown) => GatewayError;
}

type Batch = IteratorResult<readonly Delta[], undefined>;
const END: Batch = { done: true, value: undefined };

/** Converts a response in a vendor's wire format to the canonical form. */
export const convertedResponse = (
  response: WireResponse,
  reader: DeltaReader,
  usageFormat: VendorFormat,
): ConversationResponse => ({
  deltas: response.isStream ? new StreamedDeltas(response, reader) : wholeDeltas(response, reader),
  usage: () => reader.usage,
  usageFormat,
  upstreamId: () => reader.upstreamId,
  serviceTier: () => reader.serviceTier,
});

async function* wholeDeltas(
  response: WireResponse,
  reader: DeltaReader,
): AsyncGenerator<readonly Delta[], undefined, undefined> {
  const body = await response.whole(MAX_TEXT_RESPONSE_BYTES);
  yield vendorResult(() => reader.whole(body));
  return undefined;
}

class StreamedDeltas implements AsyncIterator<readonly Delta[], undefined> {
  readonly #events: AsyncIterator<readonly Buffer[], undefined>;
  #isOver = false;
  /** A failure that occurred after a batch. The batch must be forwarded first. */
  #failure: Error | undefined;

  constructor(
    private readonly response: WireResponse,
    private readonly reader: DeltaReader,
  ) {
    this.#events = response.events();
  }

  async next(): Promise<Batch> {
    while (!this.#isOver) {
      const step = await this.#events.next().catch((error: unknown) => this.#assertComplete(error));
      const batch: Delta[] = [];
      try {
        vendorResult(() => this.#read(step?.done === false ? step.value : undefined, batch));
      } catch (error) {
        await this.return();
        if (batch.length === 0) throw error;
        this.#failure = error as Error;
      }
      if (batch.length > 0) return { done: false, value: batch };
    }
    if (this.#failure !== undefined) throw this.#failure;
    return END;
  }

  async return(): Promise<Batch> {
    this.#isOver = true;
    await this.#events.return?.();
    return END;
  }

  /** `events`: undefined at the end of the vendor's stream. */
  #read(events: readonly Buffer[] | undefined, batch: Delta[]): void {
    const { reader } = this;
    for (const event of events ?? []) {
      for (const delta of reader.push(event)) batch.push(delta);
      if (reader.isDone) break;
    }
    if (events && !reader.isDone) return;
    this.#isOver = true;
    for (const delta of reader.end()) batch.push(delta);
    if (events) this.response.discard();
  }

  /** Rethrows an error of the stream, unless the response is already complete. */
  #assertComplete(error: unknown): undefined {
    if (this.reader.isComplete) return undefined;
    this.#isOver = true;
    throw error;
  }
}
