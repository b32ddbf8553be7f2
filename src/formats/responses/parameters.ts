import { elementsIn, membersOf, type Members } from '../members.js';
import { modalitiesIn, parametersIn, SAMPLING_PARAMETERS } from '../text-request.js';

/** Request parameters, by their names in the catalogue, that some endpoints do not support. */
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

/** The parameters in a request, by their names in the catalogue. */
export function parametersOf(members: Members): string[] {
  const named = parametersIn(members, PARAMETERS);
  const { type } = membersOf(membersOf(members['text'])['format']);
  if (type === 'json_schema') return [...named, 'response_format', 'structured_outputs'];
  return type === 'json_object' ? [...named, 'response_format'] : named;
}

/** Input modalities of the items, besides text. */
export function modalitiesOf(input: readonly object[]): string[] {
  const partsOf = ({ content, output }: Members): unknown[] => [...elementsIn(content), ...elementsIn(output)];
  return modalitiesIn(
    input.flatMap((item) => partsOf(item as Members)),
    MODALITY_OF_PART,
  );
}
