import type { ClientFormat } from '../client-format.js';
import { textsShown } from '../text-measure.js';
import { visitMessages } from './measure-messages.js';
import { MessageWriter } from './message-writer.js';
import { errorEvent, messagesUsage } from './messages-events.js';
import { MessagesRelay } from './messages-relay.js';
import { MessagesStreamWriter } from './messages-stream-writer.js';
import { readConversation } from './read-conversation.js';
import { completeMessage } from './vendor-message.js';

/** The format of `/messages`. */
export const MESSAGES_FORMAT: ClientFormat = {
  name: 'messages',
  boundMember: 'max_tokens',
  textsOf: (body) => textsShown((visitor) => visitMessages(body, visitor)),
  readConversation,
  relay: (head, _, failure) => new MessagesRelay(head, failure),
  streamWriter: (head, options) => new MessagesStreamWriter(head, options),
  complete: (body, head, _, failure) => completeMessage(body, head, failure),
  completionWriter: (head, options) => new MessageWriter(head, options),
  usage: messagesUsage,
  failing: ({ id }, error) => errorEvent(id, error),
};
