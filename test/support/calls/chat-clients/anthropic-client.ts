import Anthropic from '@anthropic-ai/sdk';
import { parsedJson, type ChatClient, type ClientAccess, type ClientReply, type ClientRequest } from './chat-client.js';

/** The format requires `max_tokens`. */
const DEFAULT_MAX_TOKENS = 1_000;
/** The members that this service adds to the usage. */
type Usage = Anthropic.Usage & { readonly cost: number };
/** The finish reasons of the chat format, by finish reason of `/messages`. */
export const FINISHES: Readonly<Record<string, string>> = {
  end_turn: 'stop',
  max_tokens: 'length',
  tool_use: 'tool_calls',
};

/** `@anthropic-ai/sdk`: the buffered call, and the stream helper, which is stricter than the plain stream. */
export function anthropicClient({ baseUrl, apiKey }: ClientAccess): ChatClient {
  const { messages } = new Anthropic({ apiKey, baseURL: baseUrl.replace(/\/v1$/, ''), maxRetries: 0, timeout: 60_000 });
  return {
    returnsReasoning: true,
    user: (text, image) => ({
      role: 'user',
      content: image ? [{ type: 'text', text }, imageOf(image)] : text,
    }),
    toolResult: ({ id }, content) => ({ role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content }] }),
    complete: async (request) => replyOf(await messages.create(bodyOf(request)), request),
    stream: async (request) => {
      const pieces: string[] = [];
      const runner = messages.stream(bodyOf(request)).on('text', (piece) => void pieces.push(piece));
      const usages: unknown[] = [];
      runner.on('streamEvent', (event) => void (event.type === 'message_delta' && usages.push(event.usage)));
      const message = await runner.finalMessage();
      // The helper keeps only the members of the official format.
      const usage = { ...message.usage, ...(usages.at(-1) as object) };
      return { ...replyOf({ ...message, usage }, request), pieces };
    },
    failure: (thrown) => {
      if (!(thrown instanceof Anthropic.APIError)) throw thrown;
      const { status, message } = thrown;
      const retryAfter = (thrown.headers as Headers | undefined)?.get('retry-after') ?? undefined;
      return { type: thrown.constructor.name, status: status as number | undefined, message, retryAfter };
    },
  };
}

function imageOf(url: string): object {
  const [, mediaType, data] = /^data:([^;]+);base64,(.*)$/.exec(url)!;
  return { type: 'image', source: { type: 'base64', media_type: mediaType, data } };
}

const bodyOf = (request: ClientRequest): Anthropic.MessageCreateParamsNonStreaming => {
  const { model, messages, tools, schema, maxTokens, effort } = request;
  return {
    model,
    messages: messages as Anthropic.MessageParam[],
    max_tokens: maxTokens ?? DEFAULT_MAX_TOKENS,
    tools: tools?.map(({ parameters, ...tool }) => ({
      ...tool,
      input_schema: parameters as Anthropic.Tool['input_schema'],
    })),
    ...(effort ? { thinking: { type: 'adaptive' } } : {}),
    ...(effort || schema
      ? { output_config: { effort, ...(schema ? { format: { type: 'json_schema', schema: { ...schema } } } : {}) } }
      : {}),
  };
};

function replyOf(message: Anthropic.Message, { schema }: ClientRequest): ClientReply {
  const { content, stop_reason } = message;
  const text = content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('');
  const usage = message.usage as Usage;
  return {
    text,
    reasoning: content.flatMap((block) => (block.type === 'thinking' ? [block.thinking] : [])).join(''),
    calls: content.flatMap((block) =>
      block.type === 'tool_use' ? [{ id: block.id, name: block.name, arguments: block.input }] : [],
    ),
    object: schema && parsedJson(text),
    finish: FINISHES[stop_reason!] ?? stop_reason!,
    usage: {
      prompt: usage.input_tokens + usage.cache_read_input_tokens! + usage.cache_creation_input_tokens!,
      completion: usage.output_tokens,
      cached: usage.cache_read_input_tokens!,
      reasoning: usage.output_tokens_details?.thinking_tokens ?? 0,
      cost: usage.cost,
    },
    pieces: [],
    messages: [{ role: 'assistant', content }],
  };
}
