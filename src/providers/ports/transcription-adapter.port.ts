import { EndpointAdapter } from './endpoint-adapter.js';
import type { EndpointCall, ReportedUsage } from './endpoint-call.js';

export type TimestampGranularity = 'word' | 'segment';

/** A recording as the caller sent it. */
export interface Recording {
  readonly bytes: Buffer;
  /**
   * Vendors detect the file format by the extension. The name contains only letters, digits, dots, hyphens and
   * underscores.
   */
  readonly fileName: string;
}

export interface TranscriptionCall extends EndpointCall {
  readonly recording: Recording;
  /** The spoken language; undefined = the vendor detects it. */
  readonly language?: string;
  readonly temperature?: number;
  /** Whether segments and words with their times are requested, or the duration is needed for the price. */
  readonly isVerbose: boolean;
  readonly granularities: readonly TimestampGranularity[];
}

/** A part of the text with its times in seconds, as the vendor reports it. Required members have the right type. */
export type TimedText = Readonly<Record<string, unknown>>;

export interface VendorTranscription {
  readonly text: string;
  readonly task?: string;
  readonly language?: string;
  /** Seconds. */
  readonly duration?: number;
  readonly segments?: readonly TimedText[];
  readonly words?: readonly TimedText[];
  readonly usage: ReportedUsage | undefined;
  readonly upstreamId?: string;
}

/** Implements one vendor protocol for speech to text. Throws GatewayError as SpeechAdapter does. */
export abstract class TranscriptionAdapter extends EndpointAdapter {
  abstract transcribe(call: TranscriptionCall): Promise<VendorTranscription>;
}
