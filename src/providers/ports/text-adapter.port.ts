import type { Conversation } from '../../formats/conversation.js';
import type {
  ForwardedText,
  FormatOperation,
  ConversationResponse,
  TextFormat,
  TextTerms,
  WireResponse,
} from '../../formats/vendor-text.js';
import { EndpointAdapter } from './endpoint-adapter.js';
import type { EndpointCall, EndpointName } from './endpoint-call.js';

/** A request that goes to the vendor as the caller's bytes, with members of the format spliced in and out. */
export interface WireCall extends EndpointCall, ForwardedText {}

/** A request that is converted to the vendor's format. */
export interface ConversationCall extends EndpointCall, TextTerms {
  readonly conversation: Conversation;
}

/**
 * Implements one or several vendor protocols for text. `send` and `converse` resolve once the vendor has accepted the
 * request (its status is known). They throw GatewayError: invalid_request for what the vendor finds wrong with the
 * request, provider_* for its failures.
 */
export abstract class TextAdapter extends EndpointAdapter {
  /** The formats that the endpoint takes as bytes by `send`. */
  abstract formatsOf(endpoint: EndpointName): readonly TextFormat[];
  /** What the endpoint takes by `send` beside the generation of text. Absent = nothing. */
  operationsOf?(endpoint: EndpointName): readonly FormatOperation[];
  /** Whether the endpoint takes functions in groups (`namespace`) by `send`. Absent = it does not. */
  hasNamespaces?(endpoint: EndpointName): boolean;
  /** Whether the vendor bills a response to its end where its reader leaves. */
  abstract billsToTheEnd(endpoint: EndpointName): boolean;
  send?(call: WireCall): Promise<WireResponse>;
  /** Whether the endpoint continues a text: requests of `/completions` go to no others. Absent = it does not. */
  completes?(endpoint: EndpointName): boolean;
  /** Sends a request of `/completions`. Absent = its text goes to `converse`, as what the user says. */
  complete?(call: WireCall): Promise<WireResponse>;
  converse?(call: ConversationCall): Promise<ConversationResponse>;
}
