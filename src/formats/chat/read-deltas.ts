import { randomUUID } from 'node:crypto';
import { ChunkChoices, type NormalisedChoice } from './chunk-choices.js';
import { asChunk, errorOf, usageOf } from './chunk-members.js';
import { citationsOf, normalisedMessage } from './normalised-message.js';
import { REASONING_DETAIL_TYPES, type Delta, type ReasoningDetail } from '../conversation.js';
import { elementsIn, isSet, membersOf, objectsIn, textOf, type Members } from '../members.js';
import { badResponse, failedResponse, incompleteResponse } from '../bad-response.js';
import type { DeltaReader, ReaderTerms } from '../converted-response.js';
import { printable, responseMembers } from '../response-members.js';

const MAX_CHOICES = 1_024;
const DETAIL_TYPES: ReadonlySet<unknown> = new Set(REASONING_DETAIL_TYPES);
const DETAIL_TEXTS = ['text', 'signature', 'summary', 'data', 'id'];

/** Reads responses of `/chat/completions`, and normalises variants that some vendors send. */
export class ChatDeltas implements DeltaReader {
  usage: unknown;
  upstreamId: string | undefined;
  serviceTier: string | undefined;
  isDone = false;
  readonly #choices = new ChunkChoices(randomUUID());
  #citations: readonly Members[] | undefined;
  #hasAnnotations = false;

  constructor(private readonly terms: ReaderTerms) {}

  get isComplete(): boolean {
    return this.#isFinished && this.usage !== undefined;
  }

  /**
   * Whether all choices are finished. If a vendor ignores the requested number of choices, `[DONE]` ends the response.
   */
  get #isFinished(): boolean {
    return this.#choices.areFinished && (this.isDone || this.#choices.count >= this.terms.choices);
  }

  push(event: Buffer): readonly Delta[] {
    const text = event.toString('utf8').trim();
    if (text === '') return [];
    if (text !== '[DONE]') return this.#read(responseMembers(text));
    this.isDone = true;
    return [];
  }

  whole(body: Buffer): readonly Delta[] {
    const deltas = this.#read(asChunk(responseMembers(body)), true);
    this.isDone = true;
    return [...deltas, ...this.end()];
  }

  end(): readonly Delta[] {
    if (!this.#isFinished) throw incompleteResponse();
    const finished = this.#choices.finished();
    if (finished.some(({ reason }) => reason === 'error')) throw failedResponse();
    const annotations = this.#hasAnnotations ? [] : (this.#citations ?? []);
    return [
      ...annotations.map((annotation) => ({ type: 'annotation', annotation }) as const),
      ...finished.map(({ index, reason, native }) => ({ type: 'finish', reason, native, ...choiceOf(index) }) as const),
    ];
  }

  #read(body: Members, isWhole = false): Delta[] {
    const error = errorOf(body);
    if (error !== undefined) throw this.terms.failure(error);
    this.upstreamId ??= textOf(body['id']) || undefined;
    this.serviceTier = textOf(body['service_tier']) ?? this.serviceTier;
    this.usage = usageOf(body) ?? this.usage;
    this.#citations = citationsOf(body) ?? this.#citations;
    return elementsIn(body['choices']).flatMap((choice, position) => {
      const failed = membersOf(choice)['error'];
      if (isSet(failed)) throw this.terms.failure(failed);
      const normalised = this.#choices.normalise(membersOf(choice), position, isWhole && hasOutput(membersOf(choice)));
      if (this.#choices.count > MAX_CHOICES) throw badResponse(`holds more than ${MAX_CHOICES} choices`);
      this.#hasAnnotations ||= normalised.delta['annotations'] !== undefined;
      return deltasOf(normalised);
    });
  }
}

const choiceOf = (index: number): { readonly choice?: number } => (index === 0 ? {} : { choice: index });

/** Whether a choice of a complete body has content. Such a choice has ended even without a finish reason. */
function hasOutput({ delta }: Members): boolean {
  const { role: _role, ...said } = membersOf(delta);
  const texts = Object.values(normalisedMessage(said));
  return texts.some((value) => value !== '') || objectsIn(said['tool_calls']).length > 0;
}

function deltasOf({ index, delta }: NormalisedChoice): Delta[] {
  const { content, refusal, tool_calls: calls, images, annotations } = delta;
  const choice = choiceOf(index);
  const deltas: Delta[] = reasoningOf(delta).map((reasoning) => ({ ...reasoning, ...choice }));
  if (typeof content === 'string' && content !== '') deltas.push({ type: 'text', text: content, ...choice });
  if (typeof refusal === 'string' && refusal !== '') deltas.push({ type: 'refusal', text: refusal, ...choice });
  for (const image of objectsIn(images)) {
    const dataUrl = textOf(membersOf(image['image_url'])['url']);
    if (dataUrl !== undefined) deltas.push({ type: 'image', dataUrl, ...choice });
  }
  for (const { index: place, id, function: called } of objectsIn(calls)) {
    const { name, arguments: json } = membersOf(called);
    const first = id === undefined ? {} : { id: textOf(id), name: textOf(name) ?? '' };
    deltas.push({ type: 'tool_call', index: place as number, ...first, arguments: textOf(json) ?? '', ...choice });
  }
  for (const annotation of objectsIn(annotations))
    deltas.push({ type: 'annotation', annotation: printable(annotation), ...choice });
  return deltas;
}

/** If no detail is readable, the reasoning text becomes the first delta, which has no detail. */
function reasoningOf({ reasoning, reasoning_details: sent }: Members): Delta[] {
  const details = objectsIn(sent).flatMap(detailOf);
  const deltas = details.map((detail): Delta => ({ type: 'reasoning', text: detail.text ?? detail.summary, detail }));
  const isReadable = details.some(({ text, summary }) => (text ?? summary ?? '') !== '');
  return typeof reasoning === 'string' && !isReadable ? [{ type: 'reasoning', text: reasoning }, ...deltas] : deltas;
}

function detailOf(detail: Members): ReasoningDetail[] {
  const { type, format, index } = detail;
  if (!DETAIL_TYPES.has(type)) return [];
  const texts = DETAIL_TEXTS.flatMap((name) => (typeof detail[name] === 'string' ? [[name, detail[name]]] : []));
  return [{ type, format, index, ...Object.fromEntries(texts) } as ReasoningDetail];
}
