import type { EndpointCall, ReportedUsage } from './endpoint-call.js';

export type SpeechFormat = 'mp3' | 'pcm';

export interface SpeechCall extends EndpointCall {
  readonly input: string;
  readonly voice: string;
  readonly format: SpeechFormat;
  /** Playback speed multiplier; undefined = the vendor's default. */
  readonly speed?: number;
  /** The end user's tracking id, passed on to vendors that take one. */
  readonly user?: string;
}

/**
 * A speech answer as it arrives. `audio` yields the body's bytes in order and ends exactly when the vendor's
 * complete answer is held; it throws a GatewayError when the vendor fails in mid-stream. PCM is 24 kHz mono
 * 16-bit little-endian (wire-notes section 4).
 */
export interface SpeechAnswer {
  readonly audio: AsyncIterable<Uint8Array>;
  /**
   * Whether the vendor's complete answer is held and `audio` has yielded all of it. An adapter that can tell this before `audio`
   * ends spares the last piece from being held back apart; absent = only the end tells.
   */
  readonly isComplete?: () => boolean;
  /** Only meaningful after `audio` has ended. */
  usage(): ReportedUsage | undefined;
}

/**
 * Speaks one vendor protocol for speech. Resolves once the vendor has accepted the request (its status is known);
 * throws GatewayError: invalid_request for what the caller got wrong (unknown voice), provider_* for the vendor's faults.
 */
export abstract class SpeechAdapter {
  /** The adapter's name as catalogue endpoints carry it. */
  abstract readonly name: string;
  abstract speak(call: SpeechCall): Promise<SpeechAnswer>;
}
