import OpenAI from 'openai';
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions';
import {
  parsedJson,
  type ChatClient,
  type ClientAccess,
  type ClientFailure,
  type ClientReply,
  type ClientRequest,
  type ClientUsage,
} from './chat-client.js';

/** The members that this service adds to a message. */
interface Thinking {
  readonly reasoning?: string;
  readonly reasoning_details?: readonly object[];
}
type Message = OpenAI.ChatCompletionMessage & Thinking;

/** `openai`: the buffered call, and the stream helper, which is stricter than the plain stream. */
export function openAiClient({ baseUrl, apiKey }: ClientAccess): ChatClient {
  const { completions } = new OpenAI({ apiKey, baseURL: baseUrl, maxRetries: 0 }).chat;
  return {
    returnsReasoning: true,
    user: (text, image) => ({
      role: 'user',
      content: image
        ? [
            { type: 'text', text },
            { type: 'image_url', image_url: { url: image } },
          ]
        : text,
    }),
    toolResult: (call, content) => ({ role: 'tool', tool_call_id: call.id, content }),
    complete: async (request) => {
      const { choices, usage } = await completions.create(bodyOf(request));
      return replyOf(choices[0]!, usage, request);
    },
    stream: async (request) => {
      const runner = completions.stream(bodyOf(request));
      const pieces: string[] = [];
      const details: object[] = [];
      let reasoning = '';
      runner.on('chunk', ({ choices }) => {
        const { content, ...delta } = (choices[0]?.delta ?? {}) as Thinking & { content?: string };
        if (content) pieces.push(content);
        reasoning += delta.reasoning ?? '';
        details.push(...(delta.reasoning_details ?? []));
      });
      const { choices, usage } = await runner.finalChatCompletion();
      const { finish_reason, message } = choices[0]!;
      const thinking = reasoning === '' ? {} : { reasoning, reasoning_details: details };
      return { ...replyOf({ finish_reason, message: { ...message, ...thinking } }, usage, request), pieces };
    },
    failure: openAiFailure,
  };
}

export function openAiFailure(thrown: unknown): ClientFailure {
  if (!(thrown instanceof OpenAI.APIError)) throw thrown;
  const { status, message } = thrown;
  const headers = thrown.headers as Headers | undefined;
  const retryAfter = headers?.get('retry-after') ?? undefined;
  return { type: thrown.constructor.name, status: status as number | undefined, message, retryAfter };
}

function bodyOf({ model, messages, tools, schema, maxTokens, effort }: ClientRequest) {
  return {
    model,
    messages: messages as ChatCompletionMessageParam[],
    tools: tools?.map((tool) => ({ type: 'function' as const, function: { ...tool } })),
    response_format: schema && { type: 'json_schema' as const, json_schema: { name: 'answer', strict: true, schema } },
    max_completion_tokens: maxTokens,
    reasoning_effort: effort,
  };
}

function replyOf(
  { message, finish_reason }: { readonly message: Message; readonly finish_reason: string },
  usage: OpenAI.CompletionUsage | undefined,
  { schema }: ClientRequest,
): ClientReply {
  const text = message.content ?? '';
  return {
    text,
    reasoning: message.reasoning ?? '',
    calls: (message.tool_calls ?? []).map((call) => {
      if (call.type !== 'function') throw new Error('the tool call is not a function call');
      return { id: call.id, name: call.function.name, arguments: parsedJson(call.function.arguments) };
    }),
    object: schema && parsedJson(text),
    finish: finish_reason,
    usage: usage && usageOf(usage as OpenAI.CompletionUsage & { readonly cost: number }),
    pieces: [],
    messages: [message],
  };
}

export const usageOf = (usage: OpenAI.CompletionUsage & { readonly cost: number }): ClientUsage => ({
  prompt: usage.prompt_tokens,
  completion: usage.completion_tokens,
  cached: usage.prompt_tokens_details!.cached_tokens!,
  reasoning: usage.completion_tokens_details!.reasoning_tokens!,
  cost: usage.cost,
});
