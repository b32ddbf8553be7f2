import OpenAI from 'openai';
import type { Response, ResponseInput } from 'openai/resources/responses/responses';
import {
  parsedJson,
  type ChatClient,
  type ClientAccess,
  type ClientReply,
  type ClientRequest,
} from '../chat-clients/chat-client.js';
import { openAiFailure } from '../chat-clients/openai-client.js';

/** `openai` at `/responses`: the buffered call, and the stream helper, which is stricter than the plain stream. */
export function openAiResponsesClient({ baseUrl, apiKey }: ClientAccess): ChatClient {
  const { responses } = new OpenAI({ apiKey, baseURL: baseUrl, maxRetries: 0 });
  return {
    returnsReasoning: true,
    user: (text, image) => ({
      role: 'user',
      content: image
        ? [
            { type: 'input_text', text },
            { type: 'input_image', image_url: image, detail: 'auto' },
          ]
        : text,
    }),
    toolResult: (call, output) => ({ type: 'function_call_output', call_id: call.id, output }),
    complete: async (request) => replyOf(await responses.create(bodyOf(request)), request),
    stream: async (request) => {
      const runner = responses.stream(bodyOf(request));
      const pieces: string[] = [];
      runner.on('response.output_text.delta', ({ delta }) => void pieces.push(delta));
      const response = await runner.finalResponse();
      const { error } = response;
      if (error) throw new OpenAI.APIError(undefined, error, error.message, undefined);
      return { ...replyOf(response, request), pieces };
    },
    failure: openAiFailure,
  };
}

const bodyOf = ({ model, messages, tools, schema, maxTokens, effort }: ClientRequest) => ({
  model,
  input: messages as ResponseInput,
  include: ['reasoning.encrypted_content' as const],
  tools: tools?.map((tool) => ({ type: 'function' as const, strict: true, ...tool })),
  text: schema && { format: { type: 'json_schema' as const, name: 'answer', strict: true, schema } },
  max_output_tokens: maxTokens,
  reasoning: effort && { effort },
});

function replyOf(response: Response, { schema }: ClientRequest): ClientReply {
  const { output, output_text: text, usage } = response;
  const { cost } = usage as unknown as { readonly cost: number };
  const calls = output.filter((item) => item.type === 'function_call');
  const reasoning = output.filter((item) => item.type === 'reasoning');
  return {
    text,
    reasoning: reasoning
      .flatMap((item) => [...item.summary, ...(item.content ?? [])].map((part) => part.text))
      .join(''),
    calls: calls.map((call) => ({ id: call.call_id, name: call.name, arguments: parsedJson(call.arguments) })),
    object: schema && parsedJson(text),
    finish: response.incomplete_details?.reason ?? (calls.length > 0 ? 'tool_calls' : 'stop'),
    usage: usage && {
      prompt: usage.input_tokens,
      completion: usage.output_tokens,
      cached: usage.input_tokens_details.cached_tokens,
      reasoning: usage.output_tokens_details.reasoning_tokens,
      cost,
    },
    pieces: [],
    messages: output,
  };
}
