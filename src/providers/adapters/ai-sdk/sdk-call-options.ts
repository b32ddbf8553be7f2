import { givenMembers } from '../../../kernel/given-members.js';
import type { LanguageModelV4CallOptions, LanguageModelV4FunctionTool } from '@ai-sdk/provider';
import { invalidRequest } from '../../../kernel/errors/errors.js';
import type { AssistantPart, Conversation, MediaPart, Message, Tool } from '../../../formats/conversation.js';
import type { ReferenceSource } from '../../ports/reference-source.port.js';
import type { ConversationCall } from '../../ports/text-adapter.port.js';
import { sdkPrompt } from './sdk-prompt.js';
import type { ReasoningPlan } from './sdk-reasoning.js';
import type { SdkTextVendor } from './sdk-text-vendors.js';

type Options = LanguageModelV4CallOptions;

/** The options of a call to a package. The package leaves out settings that the vendor does not support. */
export async function sdkCallOptions(
  call: ConversationCall,
  vendor: SdkTextVendor,
  optionsKey: string,
): Promise<Options> {
  const { conversation, upstreamModel: model, reservedOutputTokens: reserved } = call;
  const { settings, reasoning, tools } = conversation;
  const requested = call.maxOutputTokens ?? settings.maxOutputTokens;
  const bound = requested ?? (vendor.needsMaximum?.(model) ? reserved : undefined);
  const plan: ReasoningPlan = reasoning
    ? await vendor.adaptReasoning({ settings: reasoning, bound, available: bound ?? reserved, model })
    : {};
  const options = givenMembers({ ...vendor.options?.(call), ...plan.options, ...call.options });
  return {
    prompt: sdkPrompt(conversation.messages, vendor, conversation.cacheControl),
    maxOutputTokens: plan.maxOutputTokens ?? bound,
    temperature: settings.temperature,
    topP: settings.topP,
    topK: settings.topK,
    presencePenalty: settings.presencePenalty,
    frequencyPenalty: settings.frequencyPenalty,
    stopSequences: settings.stop && [...settings.stop],
    seed: settings.seed,
    responseFormat: responseFormatOf(conversation),
    tools: tools.length > 0 ? tools.map((tool) => toolOf(tool, vendor)) : undefined,
    toolChoice: tools.length > 0 ? toolChoiceOf(conversation) : undefined,
    reasoning: plan.level,
    includeRawChunks: vendor.usageOfChunk !== undefined,
    abortSignal: call.signal,
    providerOptions: { [optionsKey]: options as never },
  };
}

const toolOf = (tool: Tool, vendor: SdkTextVendor): LanguageModelV4FunctionTool => ({
  type: 'function',
  name: tool.name,
  description: tool.description,
  inputSchema: tool.parameters,
  ...(tool.strict === undefined ? {} : { strict: tool.strict }),
  providerOptions: tool.cacheControl && (vendor.cacheOptions?.(tool.cacheControl.ttl) as never),
});

function toolChoiceOf({ toolChoice }: Conversation): Options['toolChoice'] {
  if (toolChoice === undefined) return undefined;
  return typeof toolChoice === 'string' ? { type: toolChoice } : { type: 'tool', toolName: toolChoice.toolName };
}

function responseFormatOf({ responseFormat: format }: Conversation): Options['responseFormat'] {
  if (!format || format.type === 'text') return undefined;
  if (format.type === 'json') return { type: 'json' };
  return { type: 'json', schema: format.schema, name: format.name, description: format.description };
}

/**
 * Returns the call with pictures and documents inline if the vendor does not fetch their URLs itself. Throws
 * invalid_request for other media that the vendor does not fetch, and without `references` also for pictures and
 * documents. `supported`: patterns of the URLs that the vendor fetches, by media type.
 */
export async function withReachableMedia(
  call: ConversationCall,
  supported: Readonly<Record<string, readonly RegExp[]>>,
  references: ReferenceSource | undefined,
): Promise<ConversationCall> {
  const unreachable = mediaOf(call.conversation.messages).filter((part) => !isReachable(part, supported));
  if (unreachable.length === 0) return call;
  const other = unreachable.find(({ type }) => type !== 'image' && type !== 'file');
  if (other || !references)
    throw invalidRequest(
      `The provider of this model takes no URL of this kind (${other?.type ?? 'image'}): send a data URL.`,
    );
  const parts = [...new Map(unreachable.map((part) => [urlOf(part), part])).values()];
  const fetched = await references.fetchAll(
    parts.map(urlOf),
    (index) => `the ${parts[index]!.type} ${urlOf(parts[index]!).slice(0, 200)}`,
    call.signal,
    (index) => (parts[index]!.type === 'file' ? 'document' : 'picture'),
  );
  const inline = new Map(
    fetched.map(({ bytes, mediaType }, index) => [
      urlOf(parts[index]!),
      { base64: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64'), mediaType },
    ]),
  );
  const replace = <P extends AssistantPart>(part: P): P => {
    const source = isByUrl(part) ? inline.get(urlOf(part)) : undefined;
    return source ? { ...part, source } : part;
  };
  const messages = call.conversation.messages.map((message): Message => {
    switch (message.role) {
      case 'system':
        return message;
      case 'user':
        return { ...message, parts: message.parts.map(replace) };
      case 'assistant':
        return { ...message, parts: message.parts.map(replace) };
      default:
        return { ...message, results: message.results.map((r) => ({ ...r, parts: r.parts.map(replace) })) };
    }
  });
  return { ...call, conversation: { ...call.conversation, messages } };
}

const isByUrl = (part: AssistantPart): part is MediaPart => 'source' in part && 'url' in part.source;

const urlOf = (part: MediaPart): string => (part.source as { url: string }).url;

const mediaOf = (messages: readonly Message[]): MediaPart[] =>
  messages
    .flatMap((message): readonly AssistantPart[] =>
      message.role === 'tool' ? message.results.flatMap(({ parts }) => parts) : message.parts,
    )
    .filter(isByUrl);

/**
 * Whether the vendor fetches the URL itself. The keys of `supported` are media types, groups such as `image/*`, or `*`
 * for all types.
 */
function isReachable(part: MediaPart, supported: Readonly<Record<string, readonly RegExp[]>>): boolean {
  const kind = part.type === 'file' ? 'application' : part.type;
  return Object.entries(supported).some(
    ([type, patterns]) =>
      (type.startsWith('*') || type.startsWith(`${kind}/`)) && patterns.some((pattern) => pattern.test(urlOf(part))),
  );
}
