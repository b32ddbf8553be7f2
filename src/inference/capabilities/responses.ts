import { Injectable } from '@nestjs/common';
import { readReasoningSettings } from '../../formats/chat/read-reasoning.js';
import { membersOf, textOf, type Members } from '../../formats/members.js';
import { COMPACTION_FORMAT } from '../../formats/responses/compaction.js';
import { withoutCarriers } from '../../formats/responses/reasoning-content.js';
import { RESPONSES_FORMAT } from '../../formats/responses/format.js';
import { measureResponses } from '../../formats/responses/measure.js';
import { conversionRefusal } from '../../formats/responses/read-request.js';
import { requestedTier } from '../text/service-tiers.js';
import {
  FormatInference,
  parametersIn,
  SAMPLING_PARAMETERS,
  streamFailure,
  type OwnMembers,
  type RequestTerms,
  type SentText,
} from './text-format.js';

/** The members of a request that the gateway itself reads, validated. */
export interface ResponsesRequestBody extends OwnMembers {
  readonly input: string | readonly object[];
}

export type SentResponses = SentText<ResponsesRequestBody>;

/** Members of a request that endpoints may lack, by the name of the parameter in the catalogue. */
const PARAMETERS = [
  ...SAMPLING_PARAMETERS,
  'top_a',
  'top_logprobs',
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'reasoning',
];
const MODALITY_OF_PART: ReadonlyMap<unknown, string> = new Map([
  ['input_image', 'image'],
  ['input_audio', 'audio'],
  ['input_video', 'video'],
  ['input_file', 'file'],
]);

/** The end of a stream that fails before its call has begun. */
export const responsesFailure = (model: string, error: unknown): Uint8Array =>
  streamFailure(RESPONSES_FORMAT, model, error);

/** Serves requests of `/responses`. */
@Injectable()
export class ResponsesInference extends FormatInference<ResponsesRequestBody> {
  protected override readonly format = RESPONSES_FORMAT;

  protected override termsOf({ body, members }: SentResponses): RequestTerms {
    return termsOf(body, members);
  }
}

/** Serves requests of `/responses/compact`, at vendors that have it. */
@Injectable()
export class CompactionInference extends FormatInference<ResponsesRequestBody> {
  protected override readonly format = COMPACTION_FORMAT;

  protected override termsOf({ body, members }: SentResponses): RequestTerms {
    return {
      ...termsOf(body, members),
      // The operation has no such member: vendors do not get it.
      measure: measureCompaction(members),
      measureOf: measureCompaction,
      operation: 'compact',
    };
  }
}

const measureCompaction = (members: Members): RequestTerms['measure'] =>
  measureResponses({ ...members, max_output_tokens: undefined });

function termsOf(body: ResponsesRequestBody, members: Members): RequestTerms {
  const { input } = body;
  const kept = typeof input === 'string' ? input : withoutCarriers(input);
  return {
    measure: measureResponses(members),
    measureOf: measureResponses,
    parameters: () => parametersOf(members),
    modalities: typeof input === 'string' ? [] : modalitiesOf(input),
    excludesReasoning: readReasoningSettings(members)?.exclude ?? false,
    serviceTier: requestedTier(members['service_tier']),
    user: body.user ?? textOf(members['safety_identifier']),
    conversionRefusal,
    replaced: kept === input ? undefined : { input: kept },
  };
}

function parametersOf(members: Members): string[] {
  const named = parametersIn(members, PARAMETERS);
  const { type } = membersOf(membersOf(members['text'])['format']);
  if (type === 'json_schema') return [...named, 'response_format', 'structured_outputs'];
  return type === 'json_object' ? [...named, 'response_format'] : named;
}

/** Input modalities of the items, beside text. */
function modalitiesOf(input: readonly object[]): string[] {
  const found = new Set<string>();
  for (const item of input) {
    const { content, output } = item as Members;
    for (const parts of [content, output]) {
      if (!Array.isArray(parts)) continue;
      for (const part of parts as unknown[]) {
        const modality = MODALITY_OF_PART.get(membersOf(part)['type']);
        if (modality !== undefined) found.add(modality);
      }
    }
  }
  return [...found];
}
