import { OpenRouter } from '@openrouter/sdk';
import type { OpenResponsesResult, ResponsesRequest, StreamEvents } from '@openrouter/sdk/models';
import {
  FailedChunk,
  parsedJson,
  type ChatClient,
  type ClientAccess,
  type ClientReply,
  type ClientRequest,
} from '../chat-clients/chat-client.js';
import { openRouterSdkClient } from '../chat-clients/openrouter-sdk-client.js';

/** `@openrouter/sdk` at `/responses`. */
export function openRouterResponsesClient(access: ClientAccess): ChatClient {
  const { baseUrl: serverURL, apiKey } = access;
  const { responses } = new OpenRouter({ apiKey, serverURL, retryConfig: { strategy: 'none' } });
  return {
    returnsReasoning: true,
    user: (text, image) => ({
      role: 'user',
      content: image
        ? [
            { type: 'input_text', text },
            { type: 'input_image', imageUrl: image, detail: 'auto' },
          ]
        : text,
    }),
    toolResult: (call, output) => ({ type: 'function_call_output', callId: call.id, output }),
    complete: async (request) => {
      const result = await responses.send({ responsesRequest: { ...bodyOf(request), stream: false } });
      if (!('output' in result)) throw new Error('the client returned a stream');
      return replyOf(result, request);
    },
    stream: async (request) => {
      const stream = await responses.send({ responsesRequest: { ...bodyOf(request), stream: true } });
      if (!(Symbol.asyncIterator in stream)) throw new Error('the client returned no stream');
      const pieces: string[] = [];
      let last: OpenResponsesResult | undefined;
      for await (const event of stream) {
        if ('isUnknown' in event) throw new Error(`an event that the package does not know: ${JSON.stringify(event)}`);
        if (event.type === 'response.output_text.delta') pieces.push(event.delta);
        last = responseIn(event) ?? last;
      }
      if (last?.error) throw new FailedChunk(last.error.message);
      return { ...replyOf(last!, request), pieces };
    },
    failure: openRouterSdkClient(access).failure,
  };
}

const responseIn = (event: StreamEvents): OpenResponsesResult | undefined =>
  'response' in event ? event.response : undefined;

const bodyOf = ({ model, messages, tools, schema, maxTokens, effort }: ClientRequest): ResponsesRequest => ({
  model,
  input: messages as ResponsesRequest['input'],
  include: ['reasoning.encrypted_content'],
  tools: tools?.map((tool) => ({ type: 'function', strict: true, ...tool })),
  text: schema && { format: { type: 'json_schema', name: 'answer', strict: true, schema } },
  maxOutputTokens: maxTokens,
  reasoning: effort && { effort },
});

/** Throws for an item whose type the package does not support. The package only marks such an item. */
export function replyOf(response: OpenResponsesResult, { schema }: Pick<ClientRequest, 'schema'>): ClientReply {
  const { output, usage } = response;
  if (output.some((item) => 'isUnknown' in item)) throw new Error(`an unknown item: ${JSON.stringify(output)}`);
  const calls = output.flatMap((item) => (item.type === 'function_call' ? [item] : []));
  const reasoning = output.flatMap((item) => (item.type === 'reasoning' ? [item] : []));
  const text = output
    .flatMap((item) => (item.type === 'message' ? item.content : []))
    .map((part) => ('text' in part ? part.text : ''))
    .join('');
  return {
    text,
    reasoning: reasoning
      .flatMap((item) => [...item.summary, ...(item.content ?? [])].map((part) => part.text))
      .join(''),
    calls: calls.map((call) => ({ id: call.callId, name: call.name, arguments: parsedJson(call.arguments) })),
    object: schema && parsedJson(text),
    finish: response.incompleteDetails?.reason ?? (calls.length > 0 ? 'tool_calls' : 'stop'),
    usage: usage
      ? {
          prompt: usage.inputTokens,
          completion: usage.outputTokens,
          cached: usage.inputTokensDetails.cachedTokens,
          reasoning: usage.outputTokensDetails.reasoningTokens,
          cost: usage.cost!,
        }
      : undefined,
    pieces: [],
    messages: output,
  };
}
