import type { ClientFormat, OwnMembers, TextRequest } from '../client-format.js';
import { measureChat, visitedTexts, visitChat } from '../measure.js';
import { requestedTier } from '../service-tier.js';
import { textRequest } from '../text-request.js';
import type { SentBody } from '../vendor-text.js';
import { completeChat } from './complete.js';
import { ChatRelay } from './relay.js';
import { ChatBodyWriter } from './write-body.js';
import { chatUsage, failing } from './events.js';
import { ChatStreamWriter } from './write-stream.js';
import { modalitiesOf, parametersOf } from './parameters.js';
import { readReasoningSettings } from './read-reasoning.js';
import { readConversation } from './read-request.js';

/** The members of a chat request that the gateway reads, validated. */
interface ChatBody extends OwnMembers {
  readonly messages: readonly object[];
  readonly prompt_cache_key?: string | null;
}

/** Takes the messages from `sent`, in which the contents of files replace their ids. */
const read = (body: ChatBody, sent: SentBody): TextRequest =>
  textRequest(CHAT_FORMAT, body, sent, {
    measure: measureChat(sent.members),
    parameters: () => parametersOf(sent.members),
    modalities: modalitiesOf(sent.members['messages'] as readonly object[]),
    excludesReasoning: readReasoningSettings(sent.members)?.exclude ?? false,
    serviceTier: requestedTier(sent.members['service_tier']),
    session: body.prompt_cache_key,
  });

/** The format of `/chat/completions`. */
export const CHAT_FORMAT: ClientFormat<ChatBody> = {
  name: 'chat',
  boundMember: 'max_completion_tokens',
  read,
  textsOf: (body) => visitedTexts((visitor) => visitChat(body, visitor)),
  readConversation,
  relay: (head, options, failure) => new ChatRelay({ ...head, ...options, failure }),
  streamWriter: (head, options) => new ChatStreamWriter(head, options),
  complete: (body, head, { excludesReasoning }, failure) => completeChat(body, { ...head, excludesReasoning, failure }),
  completionWriter: (head, options) => new ChatBodyWriter(head, options),
  usage: chatUsage,
  failing,
};
