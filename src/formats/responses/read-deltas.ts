import { failedResponse, incompleteResponse } from '../bad-response.js';
import { elementsIn, isObject, isSet, membersOf, objectsIn, textOf, wholeNumber, type Members } from '../members.js';
import type { Delta, FinishReason, ReasoningDetail } from '../conversation.js';
import { finishReasonOf } from '../finish-reason.js';
import type { DeltaReader, ReaderTerms } from '../converted-response.js';
import { printable, responseMembers } from '../response-members.js';

/** The progress of an output item. */
interface OpenItem {
  /** For a tool call: its position among the calls. */
  readonly call?: number;
  /** The parts of which at least one piece was sent, by type and position. */
  readonly sent: Set<string>;
  /** `index` of the entries of `reasoning_details`, by the type and position of the part. */
  readonly details: Map<string, number>;
}

type Detail = Omit<ReasoningDetail, 'format' | 'index'>;

/** Reads responses of `/responses`. Items of the vendor's own tools are omitted. */
export class ResponsesDeltas implements DeltaReader {
  usage: unknown;
  upstreamId: string | undefined;
  serviceTier: string | undefined;
  isDone = false;
  readonly #items = new Map<number, OpenItem>();
  #calls = 0;
  #details = 0;
  #finish: { readonly reason: FinishReason; readonly native: string } | undefined;

  constructor(private readonly terms: ReaderTerms) {}

  get isComplete(): boolean {
    return this.#finish !== undefined;
  }

  push(event: Buffer): readonly Delta[] {
    const text = event.toString('utf8').trim();
    return text === '' || text === '[DONE]' ? [] : this.#event(responseMembers(text));
  }

  whole(body: Buffer): readonly Delta[] {
    const response = responseMembers(body);
    const deltas = this.#response(response);
    const items = elementsIn(response['output']).map(membersOf);
    return [...items.flatMap((item, index) => this.#itemDone(item, index)), ...deltas, ...this.end()];
  }

  end(): readonly Delta[] {
    if (!this.#finish) throw incompleteResponse();
    const { reason, native } = this.#finish;
    return [{ type: 'finish', reason: reason === 'stop' && this.#calls > 0 ? 'tool_calls' : reason, native }];
  }

  #event(event: Members): readonly Delta[] {
    const place = wholeNumber(event['output_index']) ?? 0;
    const text = textOf(event['delta']) ?? '';
    switch (event['type']) {
      case 'response.output_item.added':
        return this.#begin(membersOf(event['item']), place);
      case 'response.output_item.done':
        return this.#itemDone(membersOf(event['item']), place);
      case 'response.output_text.delta':
        return this.#text(place, `text ${partOf(event)}`, { type: 'text', text });
      case 'response.refusal.delta':
        return this.#text(place, `refusal ${partOf(event)}`, { type: 'refusal', text });
      case 'response.output_text.annotation.added':
        return this.#annotations(place, partOf(event), [event['annotation']]);
      case 'response.reasoning_summary_text.delta':
        return this.#reasoning(place, `summary ${partOf(event)}`, { type: 'reasoning.summary', summary: text });
      case 'response.reasoning_text.delta':
        return this.#reasoning(place, `reasoning ${partOf(event)}`, { type: 'reasoning.text', text });
      case 'response.function_call_arguments.delta':
        return this.#arguments(place, text);
      case 'error':
        throw this.terms.failure(event['error'] ?? event);
      default:
        return this.#response(membersOf(event['response']));
    }
  }

  /** Reads the members of a response object, which is a complete body or is contained in an event. */
  #response(response: Members): Delta[] {
    const { status, error, incomplete_details: details } = response;
    this.upstreamId ??= textOf(response['id']) || undefined;
    this.serviceTier = textOf(response['service_tier']) ?? this.serviceTier;
    this.usage = response['usage'] ?? this.usage;
    if (isSet(error)) throw this.terms.failure(error);
    if (status === 'failed' || status === 'cancelled') throw failedResponse();
    if (status !== 'completed' && status !== 'incomplete') return [];
    const native = (status === 'incomplete' && textOf(membersOf(details)['reason'])) || status;
    const reason = native === 'incomplete' ? 'length' : finishReasonOf(native, false);
    if (reason === 'error') throw failedResponse();
    this.#finish = { reason, native };
    this.isDone = true;
    return [];
  }

  #item(place: number): OpenItem {
    let item = this.#items.get(place);
    if (!item) this.#items.set(place, (item = { sent: new Set(), details: new Map() }));
    return item;
  }

  #begin({ type, call_id: id, name }: Members, place: number): readonly Delta[] {
    if (type !== 'function_call' || this.#items.get(place)?.call !== undefined) return [];
    const index = this.#calls++;
    this.#items.set(place, { ...this.#item(place), call: index });
    return [{ type: 'tool_call', index, id: textOf(id) ?? `call_${index}`, name: textOf(name) ?? '', arguments: '' }];
  }

  /** The parts of an item that were not sent in events, because some vendors send no events for them. */
  #itemDone(item: Members, place: number): readonly Delta[] {
    const { type, content, summary, result, encrypted_content: data } = item;
    const parts = objectsIn(content);
    switch (type) {
      case 'function_call':
        return [
          ...this.#begin(item, place),
          ...(this.#item(place).sent.size > 0 ? [] : this.#arguments(place, textOf(item['arguments']) ?? '')),
        ];
      case 'message':
        return parts.flatMap((part, index) => [
          ...this.#rest(place, `text ${index}`, { type: 'text', text: textOf(part['text']) ?? '' }),
          ...this.#rest(place, `refusal ${index}`, { type: 'refusal', text: textOf(part['refusal']) ?? '' }),
          ...(this.#item(place).sent.has(`annotation ${index}`)
            ? []
            : this.#annotations(place, String(index), objectsIn(part['annotations']))),
        ]);
      case 'reasoning':
        return [
          ...objectsIn(summary).flatMap((part, index) =>
            this.#restOfReasoning(place, `summary ${index}`, 'reasoning.summary', part['text']),
          ),
          ...parts.flatMap((part, index) =>
            this.#restOfReasoning(place, `reasoning ${index}`, 'reasoning.text', part['text']),
          ),
          ...(typeof data === 'string'
            ? this.#reasoning(place, 'encrypted', { type: 'reasoning.encrypted', data, ...idOf(item) })
            : []),
        ];
      case 'image_generation_call':
        return typeof result === 'string'
          ? [{ type: 'image', dataUrl: `data:${imageType(item)};base64,${result}` }]
          : [];
      default:
        return [];
    }
  }

  #text(place: number, part: string, delta: Delta & { type: 'text' | 'refusal' }): readonly Delta[] {
    if (delta.text === '') return [];
    this.#item(place).sent.add(part);
    return [delta];
  }

  #rest(place: number, part: string, delta: Delta & { type: 'text' | 'refusal' }): readonly Delta[] {
    return this.#item(place).sent.has(part) ? [] : this.#text(place, part, delta);
  }

  #arguments(place: number, json: string): readonly Delta[] {
    const { call, sent } = this.#item(place);
    if (call === undefined || json === '') return [];
    sent.add('arguments');
    return [{ type: 'tool_call', index: call, arguments: json }];
  }

  #annotations(place: number, part: string, annotations: readonly unknown[]): readonly Delta[] {
    if (annotations.length > 0) this.#item(place).sent.add(`annotation ${part}`);
    return annotations
      .filter(isObject)
      .map((annotation) => ({ type: 'annotation', annotation: citationOf(annotation) }));
  }

  #reasoning(place: number, part: string, detail: Detail): readonly Delta[] {
    const text = detail.text ?? detail.summary;
    if (text === '') return [];
    const { sent, details } = this.#item(place);
    sent.add(part);
    const index = details.get(part) ?? this.#details++;
    details.set(part, index);
    const { reasoningFormat: format } = this.terms;
    return [{ type: 'reasoning', text, detail: { ...detail, format, index } }];
  }

  #restOfReasoning(
    place: number,
    part: string,
    type: 'reasoning.summary' | 'reasoning.text',
    value: unknown,
  ): readonly Delta[] {
    const text = textOf(value) ?? '';
    if (this.#item(place).sent.has(part)) return [];
    return this.#reasoning(place, part, type === 'reasoning.text' ? { type, text } : { type, summary: text });
  }
}

const partOf = ({ summary_index: summary, content_index: content }: Members): string =>
  String(wholeNumber(summary) ?? wholeNumber(content) ?? 0);

const idOf = ({ id }: Members): { readonly id?: string } => (typeof id === 'string' ? { id } : {});

const imageType = ({ output_format: format }: Members): string =>
  format === 'jpeg' || format === 'webp' ? `image/${format}` : 'image/png';

/** Converts an annotation to the chat format. */
function citationOf(annotation: Members): Members {
  const { type, url, title, start_index: start, end_index: end } = annotation;
  if (type !== 'url_citation' || typeof url !== 'string') return printable(annotation);
  const citation = {
    url,
    title: textOf(title) ?? url,
    start_index: wholeNumber(start) ?? 0,
    end_index: wholeNumber(end) ?? 0,
  };
  return { type, url_citation: citation };
}
