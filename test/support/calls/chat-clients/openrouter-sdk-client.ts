import { OpenRouter } from '@openrouter/sdk';
import { OpenRouterError } from '@openrouter/sdk/models/errors';
import type {
  ChatAssistantMessage,
  ChatMessages,
  ChatRequest,
  ChatStreamChunk,
  ChatUsage,
} from '@openrouter/sdk/models';
import {
  FailedChunk,
  parsedJson,
  type ChatClient,
  type ClientAccess,
  type ClientReply,
  type ClientRequest,
} from './chat-client.js';

/** `@openrouter/sdk`. */
export function openRouterSdkClient({ baseUrl, apiKey }: ClientAccess): ChatClient {
  const { chat } = new OpenRouter({ apiKey, serverURL: baseUrl, retryConfig: { strategy: 'none' } });
  return {
    returnsReasoning: true,
    user: (text, image) => ({
      role: 'user',
      content: image
        ? [
            { type: 'text', text },
            { type: 'image_url', imageUrl: { url: image } },
          ]
        : text,
    }),
    toolResult: (call, content) => ({ role: 'tool', toolCallId: call.id, content }),
    complete: async (request) => {
      const result = await chat.send({ chatRequest: { ...bodyOf(request), stream: false } });
      if (!('choices' in result)) throw new Error('the client returned a stream');
      const { message, finishReason } = result.choices[0]!;
      return replyOf(message, finishReason, result.usage, request);
    },
    stream: async (request) => {
      const stream = await chat.send({ chatRequest: { ...bodyOf(request), stream: true } });
      if (!(Symbol.asyncIterator in stream)) throw new Error('the client returned no stream');
      const chunks: ChatStreamChunk[] = [];
      for await (const chunk of stream) {
        if (chunk.error) throw new FailedChunk(chunk.error.message, chunk.error.code);
        chunks.push(chunk);
      }
      const finish = chunks.findLast(({ choices }) => choices[0]?.finishReason)?.choices[0]?.finishReason;
      const { message, pieces } = gathered(chunks);
      return { ...replyOf(message, finish, chunks.at(-1)!.usage, request), pieces };
    },
    failure: (thrown) => {
      if (thrown instanceof FailedChunk) return { type: 'chunk', status: thrown.status, message: thrown.message };
      if (!(thrown instanceof OpenRouterError)) throw thrown;
      const { statusCode, message, headers } = thrown;
      return {
        type: thrown.constructor.name,
        status: statusCode,
        message,
        retryAfter: headers.get('retry-after') ?? undefined,
      };
    },
  };
}

function bodyOf({ model, messages, tools, schema, maxTokens, effort }: ClientRequest): ChatRequest {
  return {
    model,
    messages: messages as ChatMessages[],
    tools: tools?.map((tool) => ({ type: 'function', function: { ...tool } })),
    responseFormat: schema && { type: 'json_schema', jsonSchema: { name: 'answer', strict: true, schema } },
    maxCompletionTokens: maxTokens,
    reasoningEffort: effort,
  };
}

/** The package has no helper that collects a stream. */
function gathered(chunks: readonly ChatStreamChunk[]): { message: ChatAssistantMessage; pieces: string[] } {
  const deltas = chunks.flatMap(({ choices }) => choices.map(({ delta }) => delta));
  const pieces = deltas.flatMap(({ content }) => (content ? [content] : []));
  const calls: { id: string; type: 'function'; function: { name: string; arguments: string } }[] = [];
  for (const { index, id, function: called } of deltas.flatMap(({ toolCalls }) => toolCalls ?? [])) {
    calls[index] ??= { id: '', type: 'function', function: { name: '', arguments: '' } };
    calls[index].id += id ?? '';
    calls[index].function.name += called?.name ?? '';
    calls[index].function.arguments += called?.arguments ?? '';
  }
  const reasoningDetails = deltas.flatMap(({ reasoningDetails: details }) => details ?? []);
  const message: ChatAssistantMessage = {
    role: 'assistant',
    content: pieces.join(''),
    reasoning: deltas.map(({ reasoning }) => reasoning ?? '').join(''),
    ...(calls.length > 0 ? { toolCalls: calls } : {}),
    ...(reasoningDetails.length > 0 ? { reasoningDetails } : {}),
  };
  return { message, pieces };
}

function replyOf(
  message: ChatAssistantMessage,
  finish: string | null | undefined,
  usage: ChatUsage | undefined,
  { schema }: ClientRequest,
): ClientReply {
  const text = (message.content as string | null) ?? '';
  return {
    text,
    reasoning: message.reasoning ?? '',
    calls: (message.toolCalls ?? []).map(({ id, function: called }) => ({
      id,
      name: called.name,
      arguments: parsedJson(called.arguments),
    })),
    object: schema && parsedJson(text),
    finish: finish ?? '',
    usage: usage && {
      prompt: usage.promptTokens,
      completion: usage.completionTokens,
      cached: usage.promptTokensDetails!.cachedTokens!,
      reasoning: usage.completionTokensDetails!.reasoningTokens!,
      cost: usage.cost!,
    },
    pieces: [],
    messages: [message],
  };
}
