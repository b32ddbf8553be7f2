import { elementsIn, isObject, membersOf, type Members } from '../members.js';
import {
  emptyMeasure,
  hasCacheControl,
  measuring,
  positive,
  visitedTexts,
  visitJson,
  visitRest,
  type ContentVisitor,
  type TextMeasure,
} from '../measure.js';

/** Members of a body that no model reads, and `input`, which is visited separately. */
const UNREAD_MEMBERS = new Set([
  'cache_control',
  'context_management',
  'image_config',
  'include',
  'input',
  'metadata',
  'modalities',
  'model',
  'models',
  'plugins',
  'prompt_cache_key',
  'prompt_cache_options',
  'prompt_cache_retention',
  'provider',
  'safety_identifier',
  'session_id',
  'stop',
  'stream_options',
  'trace',
  'truncation',
  'user',
]);
/** Tools that the vendor does not run. The model reads only their definitions. */
const MEASURED_TOOLS: ReadonlySet<unknown> = new Set(['function', 'custom', 'namespace']);

/** Measures a parsed `/responses` body in one pass. Values of the wrong type count as text or not at all. */
export function measureResponses(body: Members): TextMeasure {
  const measure = emptyMeasure();
  visitResponses(body, measuring(measure));
  const { input, tools, modalities, max_output_tokens: limit, instructions } = body;
  measure.messages = (Array.isArray(input) ? input.length : 1) + (typeof instructions === 'string' ? 1 : 0);
  measure.tools = elementsIn(tools).length;
  measure.readsUnmeasured ||= elementsIn(tools).some((tool) => !isMeasured(membersOf(tool)));
  measure.writesCache = [body, input, tools].some((part) => hasCacheControl(part));
  measure.maxOutputTokens = positive(limit);
  measure.imageOutput = elementsIn(modalities).includes('image');
  return measure;
}

/** The texts in a parsed `/responses` body that a model reads. */
export const textsOfResponses = (body: Members): string[] => visitedTexts((visitor) => visitResponses(body, visitor));

/** Whether the vendor runs neither the tool nor, if it is a namespace, a tool in it. */
function isMeasured({ type, tools }: Members): boolean {
  return MEASURED_TOOLS.has(type) && elementsIn(tools).every((tool) => MEASURED_TOOLS.has(membersOf(tool)['type']));
}

function visitResponses(body: Members, visitor: ContentVisitor): void {
  const { input } = body;
  if (Array.isArray(input)) for (const item of input as unknown[]) visitItem(item, visitor);
  else visitJson(input, visitor);
  visitRest(body, UNREAD_MEMBERS, visitor);
}

/** Members of an item that contain parts: for a message, a tool's result, and reasoning. */
const PARTS = new Set(['content', 'output', 'summary']);

function visitItem(item: unknown, visitor: ContentVisitor): void {
  if (!isObject(item)) return visitJson(item, visitor);
  if (item['type'] === 'image_generation_call') return visitor.image();
  for (const [name, value] of Object.entries(item))
    if (PARTS.has(name) && Array.isArray(value)) for (const part of value as unknown[]) visitPart(part, visitor);
    else visitJson(value, visitor);
}

function visitPart(part: unknown, visitor: ContentVisitor): void {
  const { type, input_audio: audio } = membersOf(part);
  const { data } = membersOf(audio);
  if (type === 'input_image') visitor.image();
  else if (type === 'input_audio' && typeof data === 'string') visitor.audio(data);
  else if (type === 'input_file' || type === 'input_video' || type === 'input_audio') visitor.unmeasured();
  else visitJson(part, visitor);
}
