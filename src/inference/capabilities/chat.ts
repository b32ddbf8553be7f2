import { Injectable } from '@nestjs/common';
import { EFFORTS } from '../../formats/conversation.js';
import { isSet } from '../../formats/members.js';
import { CHAT_FORMAT } from '../../formats/chat/format.js';
import { readReasoningSettings } from '../../formats/chat/read-reasoning.js';
import { requestedTier } from '../text/service-tiers.js';
import { measureChat } from '../../formats/measure.js';
import {
  FormatInference,
  parametersIn,
  SAMPLING_PARAMETERS,
  streamFailure,
  type OwnMembers,
  type RequestTerms,
  type SentText,
} from './text-format.js';

/** The members of a chat request that the gateway itself reads, validated. */
export interface ChatRequestBody extends OwnMembers {
  readonly messages: readonly object[];
}

export type SentChat = SentText<ChatRequestBody>;

/** Members of a request that endpoints may lack, by the name of the parameter in the catalogue. */
const PARAMETERS = [
  ...SAMPLING_PARAMETERS,
  'top_a',
  'logprobs',
  'top_logprobs',
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'response_format',
  'reasoning',
];

const MODALITY_OF_PART: ReadonlyMap<string, string> = new Map([
  ['image_url', 'image'],
  ['input_audio', 'audio'],
  ['video_url', 'video'],
  ['file', 'file'],
]);

/** The end of a chat stream that fails before its call has begun. */
export const chatFailure = (model: string, error: unknown): Uint8Array => streamFailure(CHAT_FORMAT, model, error);

/** Serves requests of the chat format. */
@Injectable()
export class ChatInference extends FormatInference<ChatRequestBody> {
  protected override readonly format = CHAT_FORMAT;

  protected override termsOf({ body, members }: SentChat): RequestTerms {
    return {
      measure: measureChat(members),
      parameters: () => parametersOf(members),
      modalities: modalitiesOf(body),
      excludesReasoning: readReasoningSettings(members)?.exclude ?? false,
      serviceTier: requestedTier(members['service_tier']),
    };
  }
}

function parametersOf(members: SentChat['members']): string[] {
  const { reasoning_effort: effort, response_format: format } = members as {
    readonly reasoning_effort?: unknown;
    readonly response_format?: { readonly type?: unknown } | null;
  };
  const named = parametersIn(members, PARAMETERS);
  if (format?.type === 'json_schema') named.push('structured_outputs');
  return isSet(effort) && !named.includes('reasoning') ? [...named, 'reasoning'] : named;
}

/** Input modalities of the messages, beside text. */
function modalitiesOf({ messages }: ChatRequestBody): string[] {
  const found = new Set<string>();
  for (const { content } of messages as readonly { content?: unknown }[]) {
    if (!Array.isArray(content)) continue;
    for (const { type } of content as readonly { type: string }[]) {
      const modality = MODALITY_OF_PART.get(type);
      if (modality !== undefined) found.add(modality);
    }
  }
  return [...found];
}

export const REASONING_EFFORTS = EFFORTS;
