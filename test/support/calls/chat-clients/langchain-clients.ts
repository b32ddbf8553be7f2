import { AIMessage, HumanMessage, ToolMessage, type AIMessageChunk, type BaseMessage } from '@langchain/core/messages';
import { ChatOpenAI } from '@langchain/openai';
import { ChatOpenRouter } from '@langchain/openrouter';
import type OpenAI from 'openai';
import {
  FailedChunk,
  parsedJson,
  type ChatClient,
  type ClientAccess,
  type ClientReply,
  type ClientRequest,
} from './chat-client.js';
import { openAiFailure, usageOf } from './openai-client.js';

/** `ChatOpenAI` of `@langchain/openai`. */
export function langChainOpenAiClient({ baseUrl, apiKey }: ClientAccess): ChatClient {
  const modelOf = ({ model, maxTokens, effort }: ClientRequest): ChatOpenAI =>
    new ChatOpenAI({
      model,
      apiKey,
      maxTokens,
      maxRetries: 0,
      configuration: { baseURL: baseUrl },
      modelKwargs: effort && { reasoning_effort: effort },
      // Only the raw response contains members that the client does not support, such as reasoning.
      __includeRawResponse: true,
    });
  return { returnsReasoning: false, ...clientOf(modelOf), failure: openAiFailure };
}

/** `ChatOpenRouter` of `@langchain/openrouter`. */
export function langChainOpenRouterClient({ baseUrl, apiKey }: ClientAccess): ChatClient {
  const modelOf = ({ model, maxTokens, effort }: ClientRequest): ChatOpenRouter =>
    new ChatOpenRouter({
      model,
      apiKey,
      maxTokens,
      maxRetries: 0,
      baseURL: baseUrl,
      modelKwargs: effort && { reasoning_effort: effort },
    });
  return {
    returnsReasoning: false,
    ...clientOf(modelOf),
    failure: (thrown) => {
      if (thrown instanceof FailedChunk) return { type: 'chunk', message: thrown.message };
      const { name: type, statusCode: status, message, headers } = thrown as FailedCall;
      if (!type.startsWith('OpenRouter')) throw thrown;
      return { type, status, message, retryAfter: headers?.['retry-after'] };
    },
  };
}

/** The package does not export its error classes. */
interface FailedCall extends Error {
  readonly statusCode?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

function clientOf(
  modelOf: (request: ClientRequest) => ChatOpenAI | ChatOpenRouter,
): Pick<ChatClient, 'user' | 'toolResult' | 'complete' | 'stream'> {
  return {
    user: (text, image) =>
      new HumanMessage({
        content: image
          ? [
              { type: 'text', text },
              { type: 'image_url', image_url: { url: image } },
            ]
          : text,
      }),
    toolResult: ({ id, name }, content) => new ToolMessage({ content, tool_call_id: id, name }),
    complete: async (request) => {
      const messages = request.messages as BaseMessage[];
      const model = modelOf(request);
      if (!request.schema || !takesSchema(model)) {
        const reply = replyOf(await withTools(model, request).invoke(messages), []);
        return { ...reply, object: request.schema && parsedJson(reply.text) };
      }
      const structured = model.withStructuredOutput(request.schema, {
        name: 'answer',
        method: 'jsonSchema',
        includeRaw: true,
      });
      const { raw, parsed } = await structured.invoke(messages);
      return { ...replyOf(raw as AIMessage, []), object: parsed };
    },
    stream: async (request) => {
      let message: AIMessageChunk | undefined;
      const pieces: string[] = [];
      for await (const chunk of await withTools(modelOf(request), request).stream(request.messages as BaseMessage[])) {
        message = message ? message.concat(chunk) : chunk;
        if (chunk.text !== '') pieces.push(chunk.text);
      }
      const reply = replyOf(message!, pieces);
      if (reply.finish === 'error') throw new FailedChunk('The finish reason is error');
      return { ...reply, object: request.schema && parsedJson(reply.text) };
    },
  };
}

/**
 * Whether schemas work. `ChatOpenRouter` sends schemas only to models that it lists, unless they are set as an option
 * of the call.
 */
const takesSchema = (model: ChatOpenAI | ChatOpenRouter): boolean =>
  model instanceof ChatOpenAI || Object.keys(model.profile).length > 0;

function withTools(model: ChatOpenAI | ChatOpenRouter, { tools, schema }: ClientRequest) {
  return (model as ChatOpenAI).withConfig({
    tools: tools?.map((tool) => ({ type: 'function', function: { ...tool } })),
    response_format: schema && { type: 'json_schema', json_schema: { name: 'answer', strict: true, schema } },
  });
}

interface RawResponse {
  readonly choices: readonly [{ readonly message?: { reasoning?: string }; readonly delta?: { reasoning?: string } }];
}

function replyOf(message: AIMessage, pieces: readonly string[]): ClientReply {
  const { text, additional_kwargs: more, response_metadata: metadata } = message;
  const [choice] = (more['__raw_response'] as RawResponse | undefined)?.choices ?? [];
  const usage = metadata['usage'] as (OpenAI.CompletionUsage & { cost: number }) | undefined;
  return {
    text,
    reasoning: (more['reasoning_content'] as string | undefined) ?? (choice?.message ?? choice?.delta)?.reasoning ?? '',
    calls: (message.tool_calls ?? []).map(({ id, name, args }) => ({ id: id!, name, arguments: args })),
    finish: metadata['finish_reason'] as string,
    usage: usage?.total_tokens === undefined ? undefined : usageOf(usage),
    pieces,
    messages: [message],
  };
}
