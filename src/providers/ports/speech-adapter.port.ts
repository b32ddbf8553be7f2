import { EndpointAdapter } from './endpoint-adapter.js';
import type { EndpointCall, ReportedUsage } from './endpoint-call.js';

export type SpeechFormat = 'mp3' | 'pcm';

export interface SpeechCall extends EndpointCall {
  readonly input: string;
  readonly voice: string;
  readonly format: SpeechFormat;
  /** Playback speed multiplier; undefined = the vendor's default. */
  readonly speed?: number;
}

/**
 * A speech response as it arrives. `audio` yields the body's bytes in order, and ends only when the vendor's complete
 * response was received. `audio` throws a GatewayError if the vendor fails in the middle of the stream. PCM is 24 kHz,
 * mono, 16-bit little-endian.
 */
export interface SpeechResponse {
  readonly audio: AsyncIterable<Uint8Array>;
  /**
   * Whether the vendor's complete response was received and `audio` has yielded all of it. If it returns true after a
   * piece, that piece is the last one. Absent = unknown until `audio` ends.
   */
  readonly isComplete?: () => boolean;
  /** Final once `audio` has ended. */
  usage(): ReportedUsage | undefined;
}

/**
 * Implements one vendor protocol for speech. `speak` resolves once the status of the response shows that the vendor has
 * accepted the request. Throws GatewayError: invalid_request for the caller's mistakes (unknown voice), provider_* for
 * the vendor's failures.
 */
export abstract class SpeechAdapter extends EndpointAdapter {
  /** Whether `speak` clamps a `speed` outside its range; otherwise such a request is refused before the call. */
  readonly clampsSpeed: boolean = false;

  abstract speak(call: SpeechCall): Promise<SpeechResponse>;
}
