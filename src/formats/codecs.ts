import type { Conversation } from './conversation.js';
import type { TextFormat, RequestBody } from './vendor-text.js';
import { ChatDeltas } from './chat/read-deltas.js';
import { writeChatRequest } from './chat/write-request.js';
import type { DeltaReader, ReaderTerms } from './delta-reader.js';
import { ResponsesDeltas } from './responses/read-deltas.js';
import { writeResponsesRequest } from './responses/write-request.js';

const PATHS: Readonly<Record<TextFormat, string>> = {
  chat: '/chat/completions',
  responses: '/responses',
  messages: '/messages',
};

/** Below the base URL of a vendor. */
export const pathOf = ({ format: { name }, operation }: RequestBody): string =>
  operation === undefined ? PATHS[name] : `${PATHS[name]}/${operation}`;

/** How a conversation is sent to a vendor of a wire format, and its response read. */
export interface TextCodec {
  /** The body, but for the model and the members that adapters put in. */
  write(conversation: Conversation, reasoningFormat: string): Record<string, unknown>;
  reader(terms: ReaderTerms): DeltaReader;
}

/** Vendors that have neither format are reached through their packages. */
export const TEXT_CODECS: Readonly<Record<'chat' | 'responses', TextCodec>> = {
  chat: { write: writeChatRequest, reader: (terms) => new ChatDeltas(terms) },
  responses: { write: writeResponsesRequest, reader: (terms) => new ResponsesDeltas(terms) },
};
