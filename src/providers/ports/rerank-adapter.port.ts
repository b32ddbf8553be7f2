import { EndpointAdapter } from './endpoint-adapter.js';
import type { EndpointCall, ReportedUsage } from './endpoint-call.js';

export interface RerankCall extends EndpointCall {
  readonly query: string;
  readonly documents: readonly string[];
  /** Number of requested results: 1 to the number of documents. */
  readonly topN: number;
}

export interface RankedDocument {
  /** The index of the document in the request. */
  readonly index: number;
  readonly score: number;
}

export interface VendorRanking {
  /** The most relevant first, each document at most once. */
  readonly results: readonly RankedDocument[];
  readonly usage: ReportedUsage | undefined;
  readonly upstreamId?: string;
}

/** Implements one vendor protocol for ranking documents. Throws GatewayError as SpeechAdapter does. */
export abstract class RerankAdapter extends EndpointAdapter {
  abstract rerank(call: RerankCall): Promise<VendorRanking>;
}
