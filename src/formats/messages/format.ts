import type { ClientFormat, OwnMembers, TextRequest } from '../client-format.js';
import { visitedTexts } from '../measure.js';
import { textOf } from '../members.js';
import { textRequest } from '../text-request.js';
import type { SentBody } from '../vendor-text.js';
import { CARRIER, withoutCarriers } from './carried-reasoning.js';
import { conversionRefusal } from './conversion-refusal.js';
import { measureMessages, visitMessages } from './measure.js';
import { modalitiesOf, parametersOf, tierOf } from './parameters.js';
import { MessageWriter } from './write-body.js';
import { errorEvent, messagesUsage } from './events.js';
import { MessagesRelay } from './relay.js';
import { MessagesStreamWriter } from './write-stream.js';
import { readConversation } from './read-request.js';
import { completeMessage } from './complete.js';

const CARRIER_BYTES = Buffer.from(CARRIER);

/** The members of a request of `/messages` that the gateway reads, validated. */
interface MessagesBody extends OwnMembers {
  readonly messages: readonly object[];
  /** An alias of `models`. */
  readonly fallbacks?: readonly { readonly model: string }[] | null;
  readonly metadata?: { readonly user_id?: unknown } | null;
}

function read(body: MessagesBody, sent: SentBody): TextRequest {
  const { members, bytes } = sent;
  const { fallbacks, messages, metadata } = body;
  const own = fallbacks ? { ...body, models: fallbacks.map(({ model }) => model) } : body;
  return textRequest(MESSAGES_FORMAT, own, sent, {
    measure: measureMessages(members),
    parameters: () => parametersOf(members),
    modalities: modalitiesOf(messages),
    excludesReasoning: (members['thinking'] as { display?: unknown } | null | undefined)?.display === 'omitted',
    serviceTier: tierOf(members),
    conversionRefusal,
    user: body.user ?? textOf(metadata?.user_id),
    replaced: bytes.includes(CARRIER_BYTES) ? { messages: withoutCarriers(messages) } : undefined,
  });
}

/** The format of `/messages`. */
export const MESSAGES_FORMAT: ClientFormat<MessagesBody> = {
  name: 'messages',
  boundMember: 'max_tokens',
  read,
  textsOf: (body) => visitedTexts((visitor) => visitMessages(body, visitor)),
  readConversation,
  relay: (head, _, failure) => new MessagesRelay(head, failure),
  streamWriter: (head, options) => new MessagesStreamWriter(head, options),
  complete: (body, head, _, failure) => completeMessage(body, head, failure),
  completionWriter: (head, options) => new MessageWriter(head, options),
  usage: messagesUsage,
  failing: ({ id }, error) => errorEvent(id, error),
};
