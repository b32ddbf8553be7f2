import { invalidRequest, type GatewayError } from '../../kernel/errors/errors.js';
import { badResponse } from '../bad-response.js';
import type { Conversation } from '../conversation.js';
import { chatUsage } from '../chat/events.js';
import type {
  ClientFormat,
  CompleteBody,
  ResponseHead,
  WireReport,
  OwnMembers,
  TextRequest,
} from '../client-format.js';
import { isSet, textOf, type Members } from '../members.js';
import { printed, responseMembers } from '../response-members.js';
import { chatUsageOf } from '../chat/chunk-members.js';
import { CompletionChoices } from './choices.js';
import { failing, headOf } from './events.js';
import { CompletionRelay } from './relay.js';
import { CompletionBodyWriter, CompletionStreamWriter } from './write-stream.js';
import { parametersIn, SAMPLING_PARAMETERS, textRequest } from '../text-request.js';
import type { SentBody } from '../vendor-text.js';
import { measureCompletion, promptsOf } from './prompts.js';

/** Request parameters, by their names in the catalogue, that some endpoints do not support. */
const PARAMETERS = [...SAMPLING_PARAMETERS, 'logprobs'];

/** The format of `/completions`, which continues a text. Only endpoints that can continue a text serve it. */
export const COMPLETIONS_FORMAT: ClientFormat = {
  read,
  // Usage and errors have the same form as in `chat`.
  name: 'chat',
  continuesText: true,
  boundMember: 'max_tokens',
  textsOf: ({ prompt, suffix }) => [
    ...promptsOf(prompt).map((each) => (typeof each === 'string' ? each : ' a'.repeat(each.length))),
    ...(typeof suffix === 'string' ? [suffix] : []),
  ],
  readConversation,
  relay: (head, { choices }, failure) => new CompletionRelay({ head, choices, failure }),
  streamWriter: (head) => new CompletionStreamWriter(head),
  complete,
  completionWriter: (head) => new CompletionBodyWriter(head),
  usage: chatUsage,
  failing,
};

function read(body: OwnMembers, sent: SentBody): TextRequest {
  const { members } = sent;
  return textRequest(COMPLETIONS_FORMAT, body, sent, {
    measure: measureCompletion(members),
    parameters: () => parametersIn(members, PARAMETERS),
    modalities: [],
  });
}

/**
 * For endpoints that continue a text but do not accept this format, such as the built-in model. The prompt becomes a
 * user message.
 */
function readConversation({ prompt, stop, n }: Members): Conversation {
  const [text, ...others] = promptsOf(prompt);
  if (typeof text !== 'string' || others.length > 0 || (typeof n === 'number' && n > 1))
    throw invalidRequest('prompt must be one text and n must be 1 for this model');
  const stops = typeof stop === 'string' ? [stop] : Array.isArray(stop) ? (stop as readonly string[]) : undefined;
  return {
    messages: [{ role: 'user', parts: [{ type: 'text', text }] }],
    tools: [],
    settings: { stop: stops },
    modalities: [],
  };
}

/** A vendor's complete response in a form that all clients can read. */
function complete(
  body: Buffer,
  head: ResponseHead,
  _: unknown,
  failure: (error: unknown) => GatewayError,
): CompleteBody & WireReport {
  const response = responseMembers(body, JSON.parse);
  const { id, error, choices: sent, service_tier: tier } = response;
  if (isSet(error)) throw failure(error);
  if (!Array.isArray(sent) || sent.length === 0) throw badResponse('holds no choices');
  const choices = new CompletionChoices(failure);
  const text = printed({ ...headOf(head), choices: sent.map((choice, at) => choices.normalise(choice, at, true)) });
  if (!choices.areFinished) throw badResponse('ended before it was complete');
  return {
    usage: chatUsageOf(response),
    upstreamId: textOf(id) || undefined,
    serviceTier: textOf(tier),
    finished: true,
    finishReason: choices.finish?.reason,
    nativeFinishReason: choices.finish?.native,
    sawOutput: choices.texts().length > 0,
    text: () => choices.texts(),
    body: (usage) => `${text.slice(0, -1)},"usage":${JSON.stringify(usage)}}`,
  };
}
