import type { Conversation } from './conversation.js';
import type { VendorFormat, RequestBody } from './vendor-text.js';
import { ChatDeltas } from './chat/read-deltas.js';
import { writeChatRequest } from './chat/write-request.js';
import type { DeltaReader, ReaderTerms } from './converted-response.js';
import { ResponsesDeltas } from './responses/read-deltas.js';
import { writeResponsesRequest } from './responses/write-request.js';

const PATHS: Readonly<Record<VendorFormat, string>> = {
  chat: '/chat/completions',
  responses: '/responses',
  messages: '/messages',
};

/** The path below the base URL of a vendor. */
export const pathOf = ({ format: { name }, operation }: RequestBody): string =>
  operation === undefined ? PATHS[name] : `${PATHS[name]}/${operation}`;

/** Converts a conversation to a request of a vendor's format, and the response to deltas. */
interface TextCodec {
  /** The body without the model and without the members that adapters add. */
  write(conversation: Conversation, reasoningFormat: string): Record<string, unknown>;
  reader(terms: ReaderTerms): DeltaReader;
}

/** The codecs of two formats. For other formats, adapters use the vendors' packages. */
export const TEXT_CODECS: Readonly<Record<'chat' | 'responses', TextCodec>> = {
  chat: { write: writeChatRequest, reader: (terms) => new ChatDeltas(terms) },
  responses: { write: writeResponsesRequest, reader: (terms) => new ResponsesDeltas(terms) },
};
