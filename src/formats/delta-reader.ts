import type { GatewayError } from '../kernel/errors/errors.js';
import type { Delta } from './conversation.js';

/** Reads a vendor's response in one wire format as steps of the canonical form. */
export interface DeltaReader {
  /** The steps of the data of one event. Throws GatewayError where the vendor fails. */
  push(event: Buffer): readonly Delta[];
  /** The steps of a complete response. */
  whole(body: Buffer): readonly Delta[];
  /** The last steps, when the stream has ended. Throws GatewayError where the response is not complete. */
  end(): readonly Delta[];
  /** Whether nothing that matters follows in the stream. */
  readonly isDone: boolean;
  /** Whether everything that matters is held, so that a connection that breaks does not matter. */
  readonly isComplete: boolean;
  /** The vendor's own report; undefined = none yet. */
  readonly usage: unknown;
  readonly upstreamId: string | undefined;
  readonly serviceTier: string | undefined;
}

export interface ReaderTerms {
  /** Choices that were requested. */
  readonly choices: number;
  /** `format` of the entries of `reasoning_details`, for reasoning that only this vendor can read. */
  readonly reasoningFormat: string;
  /** The failure that an error object of the vendor is. */
  readonly failure: (error: unknown) => GatewayError;
}
