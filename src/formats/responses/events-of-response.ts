import { objectsIn, type Members } from '../members.js';
import { outputOf } from './response-object.js';

/** Stream events, without numbers, for a complete response. */
export function eventsOfResponse(response: Members): Members[] {
  const started = { ...response, status: 'in_progress', output: [], usage: null, completed_at: null };
  const last = response['status'] === 'incomplete' ? 'response.incomplete' : 'response.completed';
  const isFailed = response['status'] === 'failed' || response['status'] === 'cancelled';
  return [
    { type: 'response.created', response: started },
    { type: 'response.in_progress', response: started },
    ...outputOf(response).flatMap(eventsOfItem),
    { type: isFailed ? 'response.failed' : last, response },
  ];
}

function eventsOfItem(item: Members, index: number): Members[] {
  const where = { output_index: index, item_id: item['id'] };
  const place = (events: readonly Members[]): Members[] => events.map((event) => ({ ...where, ...event }));
  return [
    { type: 'response.output_item.added', output_index: index, item: { ...item, ...EMPTY[String(item['type'])] } },
    ...place(objectsIn(item['content']).flatMap(eventsOfPart)),
    ...place(item['type'] === 'reasoning' ? objectsIn(item['summary']).flatMap(eventsOfSummary) : []),
    ...place(item['type'] === 'function_call' ? eventsOfArguments(item) : []),
    { type: 'response.output_item.done', output_index: index, item },
  ];
}

/** Members that are empty when an item starts. */
const EMPTY: Readonly<Record<string, Members>> = {
  message: { content: [], status: 'in_progress' },
  function_call: { arguments: '', status: 'in_progress' },
  reasoning: { summary: [], content: undefined, encrypted_content: undefined },
};

function eventsOfPart(part: Members, index: number): Members[] {
  const { type, text, refusal } = part;
  const [kind, member, value] = type === 'refusal' ? ['refusal', 'refusal', refusal] : [String(type), 'text', text];
  if (typeof value !== 'string') return [];
  const at = { content_index: index };
  return [
    { type: 'response.content_part.added', ...at, part: { ...part, [member]: '' } },
    { type: `response.${kind}.delta`, ...at, delta: value },
    { type: `response.${kind}.done`, ...at, [member]: value },
    { type: 'response.content_part.done', ...at, part },
  ];
}

function eventsOfSummary(part: Members, index: number): Members[] {
  const at = { summary_index: index };
  return [
    { type: 'response.reasoning_summary_part.added', ...at, part: { ...part, text: '' } },
    { type: 'response.reasoning_summary_text.delta', ...at, delta: part['text'] },
    { type: 'response.reasoning_summary_text.done', ...at, text: part['text'] },
    { type: 'response.reasoning_summary_part.done', ...at, part },
  ];
}

const eventsOfArguments = ({ arguments: json, name }: Members): Members[] => [
  { type: 'response.function_call_arguments.delta', delta: json },
  { type: 'response.function_call_arguments.done', arguments: json, name },
];
