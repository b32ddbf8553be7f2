import type { ClientFormat } from '../client-format.js';
import { textsShown } from '../measure.js';
import { visitMessages } from './measure.js';
import { MessageWriter } from './write-body.js';
import { errorEvent, messagesUsage } from './events.js';
import { MessagesRelay } from './relay.js';
import { MessagesStreamWriter } from './write-stream.js';
import { readConversation } from './read-request.js';
import { completeMessage } from './complete.js';

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
