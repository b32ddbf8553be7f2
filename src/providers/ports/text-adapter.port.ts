import type { Conversation } from '../../formats/conversation.js';
import type {
  ForwardedText,
  FormatOperation,
  ConversationResponse,
  VendorFormat,
  TextTerms,
  WireResponse,
} from '../../formats/vendor-text.js';
import { EndpointAdapter } from './endpoint-adapter.js';
import type { EndpointCall, EndpointName } from './endpoint-call.js';

/** A request whose bytes are forwarded to the vendor, with some members removed and added. */
export interface WireCall extends EndpointCall, ForwardedText {}

/** A request that is converted to the vendor's format. */
export interface ConversationCall extends EndpointCall, TextTerms {
  readonly conversation: Conversation;
}

/**
 * Implements one or several vendor protocols for text. `send` and `converse` resolve once the status of the response
 * shows that the vendor has accepted the request. They throw GatewayError: invalid_request if the vendor refuses the
 * request as invalid, provider_* for the vendor's failures.
 */
export abstract class TextAdapter extends EndpointAdapter {
  /** The formats in which `send` forwards requests to the endpoint as bytes. */
  abstract formatsOf(endpoint: EndpointName): readonly VendorFormat[];
  /** The operations besides the generation of text that the endpoint accepts by `send`. Absent = none. */
  operationsOf?(endpoint: EndpointName): readonly FormatOperation[];
  /** Whether the endpoint accepts functions in groups (`namespace`) by `send`. Absent = it does not. */
  hasNamespaces?(endpoint: EndpointName): boolean;
  /** Whether the vendor bills the whole response even if the client disconnects. */
  abstract billsToTheEnd(endpoint: EndpointName): boolean;
  send?(call: WireCall): Promise<WireResponse>;
  /**
   * Whether the endpoint can continue a text. Only such endpoints get requests of `/completions`. Absent = false.
   */
  completes?(endpoint: EndpointName): boolean;
  /** Sends a request of `/completions`. Absent = `converse` gets the prompt as a user message. */
  complete?(call: WireCall): Promise<WireResponse>;
  converse?(call: ConversationCall): Promise<ConversationResponse>;
}
