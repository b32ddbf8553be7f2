import {
  converse,
  type ElizaMessage,
  type ElizaReply,
  type ElizaRequest,
  type ElizaResponseFormat,
} from '@gatehouse/builtin-models';
import type { AssistantPart, Conversation, Delta, Message } from '../../../formats/conversation.js';
import { TextAdapter, type ConversationCall } from '../../ports/text-adapter.port.js';
import type { ConversationResponse, VendorFormat } from '../../../formats/vendor-text.js';

/** The built-in conversation (eliza.ts), which is streamed word by word. */
export class ElizaTextAdapter extends TextAdapter {
  readonly name = 'builtin-eliza';

  override formatsOf(): readonly VendorFormat[] {
    return [];
  }

  override billsToTheEnd(): boolean {
    return false;
  }

  /** Always true, because the conversation continues a text by replying to it. */
  override completes(): boolean {
    return true;
  }

  override async converse(call: ConversationCall): Promise<ConversationResponse> {
    const reply = converse(requestOf(call));
    const { promptTokens, completionTokens } = reply.usage;
    const usage = {
      prompt_tokens: promptTokens,
      completion_tokens: completionTokens,
      total_tokens: promptTokens + completionTokens,
    };
    let ended = false;
    const deltas = call.streamed ? stepsOf(reply) : [[...stepsOf(reply)].flat()];
    return {
      deltas: (async function* () {
        for (const step of deltas) {
          call.signal.throwIfAborted();
          ended = step.at(-1)?.type === 'finish';
          yield step;
        }
        return undefined;
      })(),
      usage: () => (ended ? usage : undefined),
      usageFormat: 'chat',
      upstreamId: () => undefined,
    };
  }
}

function requestOf({ conversation, maxOutputTokens }: ConversationCall): ElizaRequest {
  const { settings, responseFormat } = conversation;
  return {
    messages: conversation.messages.flatMap(messagesOf),
    tools: toolsOf(conversation),
    maxOutputTokens: maxOutputTokens ?? settings.maxOutputTokens,
    stop: settings.stop,
    responseFormat: responseFormat && formatOf(responseFormat),
  };
}

/** The tools that the tool choice allows. */
function toolsOf({ tools, toolChoice }: Conversation): ElizaRequest['tools'] {
  if (toolChoice === 'none') return [];
  return typeof toolChoice === 'object' ? tools.filter(({ name }) => name === toolChoice.toolName) : tools;
}

function messagesOf(message: Message): ElizaMessage[] {
  if (message.role === 'tool')
    return message.results.map(({ callId, parts }) => ({ role: 'tool', text: textOf(parts), toolCallId: callId }));
  const toolCalls = message.role === 'assistant' ? message.parts.filter((part) => part.type === 'tool_call') : [];
  const texts = message.parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  return [{ role: message.role, text: texts.join(''), lastPart: texts.at(-1), toolCalls }];
}

const textOf = (parts: readonly AssistantPart[]): string =>
  parts.map((part) => (part.type === 'text' ? part.text : '')).join('');

function formatOf(format: NonNullable<Conversation['responseFormat']>): ElizaResponseFormat {
  if (format.type === 'json') return { type: 'json_object' };
  return format.type === 'text' ? format : { type: 'json_schema', schema: format.schema };
}

function* stepsOf({ deltas, finishReason }: ElizaReply): Generator<Delta[], undefined> {
  let calls = 0;
  for (const delta of deltas) {
    if (delta.type === 'text') yield [delta];
    else yield [{ type: 'tool_call', index: calls++, ...delta.toolCall }];
  }
  yield [{ type: 'finish', reason: finishReason, native: finishReason }];
  return undefined;
}
