import type { GatewayError } from '../kernel/errors/errors.js';
import type { Delta } from './conversation.js';

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
  /** The vendor's own report; undefined = none yet. */
  readonly usage: unknown;
  readonly upstreamId: string | undefined;
  readonly serviceTier: string | undefined;
}

export interface ReaderTerms {
  /** Number of requested choices. */
  readonly choices: number;
  /** `format` for entries of `reasoning_details` with reasoning that only this vendor can read. */
  readonly reasoningFormat: string;
  /** Converts an error object of the vendor. */
  readonly failure: (error: unknown) => GatewayError;
}
