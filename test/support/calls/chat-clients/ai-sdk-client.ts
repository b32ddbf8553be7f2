import {
  APICallError,
  generateText,
  jsonSchema,
  Output,
  StreamProviderError,
  streamText,
  tool,
  type LanguageModel,
  type ModelMessage,
  type StepResult,
  type ToolSet,
} from 'ai';
import type { ChatClient, ClientReply, ClientRequest } from './chat-client.js';

type Step = StepResult<ToolSet>;

/** The options of a provider's package in addition to the options of `ai` itself. */
interface ProviderOptions {
  readonly model: LanguageModel;
  readonly maxOutputTokens?: number;
  readonly providerOptions?: Parameters<typeof generateText>[0]['providerOptions'];
}

/** `ai` with the package of a provider. `costOf` returns the cost in USD from that package's result. */
export function aiSdkClient(
  providerOptionsOf: (request: ClientRequest) => ProviderOptions,
  costOf: (step: Step) => number,
): ChatClient {
  const optionsOf = (request: ClientRequest) => ({
    messages: request.messages as ModelMessage[],
    tools: toolsOf(request.tools),
    output: request.schema && Output.object({ schema: jsonSchema(request.schema) }),
    maxOutputTokens: request.maxTokens,
    maxRetries: 0,
    ...providerOptionsOf(request),
  });
  const replyOf = (step: Step, { object, pieces }: Pick<ClientReply, 'object' | 'pieces'>): ClientReply => ({
    text: step.text,
    reasoning: step.reasoningText ?? '',
    calls: step.toolCalls.map(({ toolCallId: id, toolName: name, input }) => ({ id, name, arguments: input })),
    object,
    finish: step.finishReason.replace('-', '_'),
    usage: {
      prompt: step.usage.inputTokens!,
      completion: step.usage.outputTokens!,
      cached: step.usage.inputTokenDetails.cacheReadTokens!,
      reasoning: step.usage.outputTokenDetails.reasoningTokens ?? 0,
      cost: costOf(step),
    },
    pieces,
    messages: step.response.messages,
  });
  return {
    returnsReasoning: true,
    user: (text, image): ModelMessage => ({
      role: 'user',
      content: image
        ? [
            { type: 'text', text },
            { type: 'file', mediaType: 'image/png', data: image },
          ]
        : text,
    }),
    toolResult: ({ id, name }, value): ModelMessage => ({
      role: 'tool',
      content: [{ type: 'tool-result', toolCallId: id, toolName: name, output: { type: 'text', value } }],
    }),
    complete: async (request) => {
      const result = await generateText(optionsOf(request));
      return replyOf(result.finalStep, { object: request.schema && result.output, pieces: [] });
    },
    stream: async (request) => {
      const errors: unknown[] = [];
      const result = streamText({ ...optionsOf(request), onError: ({ error }) => void errors.push(error) });
      const pieces: string[] = [];
      for await (const piece of result.textStream) pieces.push(piece);
      if (errors.length > 0) throw errors[0];
      return replyOf(await result.finalStep, { object: request.schema && (await result.output), pieces });
    },
    failure: (thrown) => {
      if (StreamProviderError.isInstance(thrown))
        return { type: thrown.name, status: thrown.statusCode, message: thrown.message };
      if (!APICallError.isInstance(thrown)) return { type: (thrown as Error).name, message: (thrown as Error).message };
      const { name: type, statusCode: status, message, responseHeaders } = thrown;
      return { type, status, message, retryAfter: responseHeaders?.['retry-after'] };
    },
  };
}

const toolsOf = (tools: ClientRequest['tools']): ToolSet | undefined =>
  tools &&
  Object.fromEntries(
    tools.map(({ name, description, parameters }) => [
      name,
      tool({ description, inputSchema: jsonSchema(parameters) }),
    ]),
  );
