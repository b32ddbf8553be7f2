import type { GatewayError } from '../../kernel/errors/errors.js';
import type { Delta } from '../conversation.js';
import type {
  ClientFormat,
  CompleteBody,
  ResponseHead,
  ResponseOptions,
  StreamRelay,
  StreamWriter,
  WireReport,
  OwnMembers,
  TextRequest,
} from '../client-format.js';
import { failureInStream } from '../stream-failure.js';
import { measureChat, textsShown, visitChat } from '../measure.js';
import { requestedTier } from '../service-tier.js';
import { textRequest } from '../text-request.js';
import type { SentBody } from '../vendor-text.js';
import { chatCompletionFrom } from './complete.js';
import { ChatChunkRelay } from './relay.js';
import { ChatCompletionWriter } from './write-body.js';
import { chatUsage, DONE, errorEvent, usageEvent, type ChatUsage } from './events.js';
import { ChatStreamWriter } from './write-stream.js';
import { modalitiesOf, parametersOf } from './parameters.js';
import { readReasoningSettings } from './read-reasoning.js';
import { readConversation } from './read-request.js';

type Failure = (error: unknown) => GatewayError;

class ChatRelay extends ChatChunkRelay implements StreamRelay {
  text(): string[] {
    return [this.received.toString()];
  }

  pushWhole(body: Buffer): Uint8Array {
    return this.push([chunkOf(body), Buffer.from('[DONE]')]);
  }

  closing(usage: object, serviceTier: string | undefined): Uint8Array {
    return closing({ ...this.terms, created: this.created }, usage, serviceTier);
  }

  failing(error: unknown): Uint8Array {
    return failing({ ...this.terms, created: this.created }, error);
  }
}

class ChatEventWriter extends ChatStreamWriter implements StreamWriter {
  closing(usage: object, serviceTier: string | undefined): Uint8Array {
    return closing(this.head, usage, serviceTier);
  }

  failing(error: unknown): Uint8Array {
    return failing(this.head, error);
  }
}

class ChatWriter extends ChatCompletionWriter implements CompleteBody {
  override add(deltas: readonly Delta[]): void {
    super.add(deltas);
  }

  body(usage: object, serviceTier?: string): string {
    return JSON.stringify(this.completion(usage, serviceTier));
  }
}

const closing = (head: ResponseHead, usage: object, serviceTier: string | undefined): Uint8Array =>
  Buffer.concat([usageEvent(head, usage as ChatUsage, serviceTier), DONE]);

const failing = (head: ResponseHead, error: unknown): Uint8Array =>
  Buffer.concat([errorEvent(head, chatError(error)), DONE]);

/**
 * Turns a complete response into a single chunk of a stream. An unreadable body is returned unchanged, and the relay
 * refuses it.
 */
function chunkOf(body: Buffer): Buffer {
  try {
    const { choices, ...rest } = JSON.parse(body.toString('utf8')) as { choices?: unknown };
    if (!Array.isArray(choices)) return body;
    const chunks = (choices as { message?: object }[]).map(({ message, ...choice }) => ({ ...choice, delta: message }));
    return Buffer.from(JSON.stringify({ ...rest, choices: chunks }));
  } catch {
    return body;
  }
}

function complete(
  body: Buffer,
  head: ResponseHead,
  { excludeReasoning: excludesReasoning }: ResponseOptions,
  failure: Failure,
): CompleteBody & WireReport {
  const completion = chatCompletionFrom(body, { ...head, excludesReasoning, failure });
  const { usage, upstreamId, serviceTier, finishReason, nativeFinishReason, texts } = completion;
  return {
    usage,
    upstreamId,
    serviceTier,
    finishReason,
    nativeFinishReason,
    finished: true,
    sawOutput: completion.texts.length > 0,
    text: () => [...texts],
    body: (billed) => completion.body(billed as ChatUsage),
  };
}

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
  textsOf: (body) => textsShown((visitor) => visitChat(body, visitor)),
  readConversation,
  relay: (head, { excludeReasoning, choices }, failure) =>
    new ChatRelay({ ...head, choices, excludesReasoning: excludeReasoning, failure }),
  streamWriter: (head, options) => new ChatEventWriter(head, options),
  complete,
  completionWriter: (head, options) => new ChatWriter(head, options),
  usage: ({ usage, price, isByok }) => chatUsage(usage, price, isByok),
  failing,
};

/** The error object of a stream that fails after the response headers were sent. */
export function chatError(thrown: unknown): Parameters<typeof errorEvent>[1] {
  const { status, message, errorType, providerCode } = failureInStream(thrown);
  return {
    code: status,
    message,
    metadata: { error_type: errorType, ...(providerCode === undefined ? {} : { provider_code: providerCode }) },
  };
}
