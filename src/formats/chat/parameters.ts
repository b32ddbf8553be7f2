import { elementsIn, isSet, type Members } from '../members.js';
import { modalitiesIn, parametersIn, SAMPLING_PARAMETERS } from '../text-request.js';

/** Request parameters, by their names in the catalogue, that some endpoints do not support. */
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
const MODALITY_OF_PART: ReadonlyMap<unknown, string> = new Map([
  ['image_url', 'image'],
  ['input_audio', 'audio'],
  ['video_url', 'video'],
  ['file', 'file'],
]);

/** The parameters in a request, by their names in the catalogue. */
export function parametersOf(members: Members): string[] {
  const { reasoning_effort: effort, response_format: format } = members as {
    readonly reasoning_effort?: unknown;
    readonly response_format?: { readonly type?: unknown } | null;
  };
  const named = parametersIn(members, PARAMETERS);
  if (format?.type === 'json_schema') named.push('structured_outputs');
  return isSet(effort) && !named.includes('reasoning') ? [...named, 'reasoning'] : named;
}

/** Input modalities of the messages, besides text. */
export const modalitiesOf = (messages: readonly object[]): string[] =>
  modalitiesIn(
    messages.flatMap((message) => elementsIn((message as Members).content)),
    MODALITY_OF_PART,
  );
