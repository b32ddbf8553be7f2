import { membersOf, wholeNumber, type Members } from '../../members.js';
import type { ResponseEvents } from '../events.js';

/** An item of a response that is being written. */
export interface OpenItem {
  /** Writes the events that end the item. `isCut`: the response ended before the item was complete. */
  end(isCut: boolean): string;
  /** The item in the complete response. */
  readonly item: Members;
}

/** The position of an item in the output, and the id that events use for it. */
export interface ItemPlace {
  readonly id: string;
  readonly index: number;
}

/** The event that starts an item. */
export const itemAdded = (events: ResponseEvents, { index }: ItemPlace, item: Members): string =>
  events.event('response.output_item.added', { output_index: index, item });

export const itemDone = (events: ResponseEvents, { index }: ItemPlace, item: Members): string =>
  events.event('response.output_item.done', { output_index: index, item });

interface TextPart {
  readonly type: 'output_text' | 'refusal';
  text: string;
  readonly annotations: Members[];
}

/** Writes a message, which consists of texts and refusals. */
export class OpenMessage implements OpenItem {
  readonly #parts: TextPart[] = [];
  /** The members that identify the open part in its events, as JSON without braces. */
  #where = '';
  #status = 'completed';

  constructor(
    private readonly events: ResponseEvents,
    private readonly place: ItemPlace,
  ) {}

  begin(): string {
    const { id } = this.place;
    const item = { type: 'message', id, role: 'assistant', status: 'in_progress', content: [] };
    return itemAdded(this.events, this.place, item);
  }

  text(text: string): string {
    const started = this.#begin('output_text');
    this.#parts.at(-1)!.text += text;
    const rest = `${this.#where},"delta":${JSON.stringify(text)},"logprobs":[]}`;
    return started + this.events.eventOf('response.output_text.delta', rest);
  }

  refusal(text: string): string {
    const started = this.#begin('refusal');
    this.#parts.at(-1)!.text += text;
    return started + this.events.eventOf('response.refusal.delta', `${this.#where},"delta":${JSON.stringify(text)}}`);
  }

  /** `annotation`: in the chat format. */
  annotation(annotation: Members): string {
    const started = this.#begin('output_text');
    const { annotations } = this.#parts.at(-1)!;
    const flat = flatAnnotation(annotation);
    const rest = JSON.stringify({ annotation_index: annotations.length, annotation: flat }).slice(1);
    annotations.push(flat);
    return started + this.events.eventOf('response.output_text.annotation.added', `${this.#where},${rest}`);
  }

  end(isCut: boolean): string {
    if (isCut) this.#status = 'incomplete';
    return this.#endPart() + itemDone(this.events, this.place, this.item);
  }

  get item(): Members {
    const { id } = this.place;
    return { type: 'message', id, role: 'assistant', status: this.#status, content: this.#parts.map(partOf) };
  }

  #begin(type: TextPart['type']): string {
    if (this.#parts.at(-1)?.type === type) return '';
    const ended = this.#endPart();
    const part: TextPart = { type, text: '', annotations: [] };
    const { id, index } = this.place;
    this.#where = `"item_id":${JSON.stringify(id)},"output_index":${index},"content_index":${this.#parts.length}`;
    this.#parts.push(part);
    const rest = `${this.#where},"part":${JSON.stringify(partOf(part))}}`;
    return ended + this.events.eventOf('response.content_part.added', rest);
  }

  #endPart(): string {
    const part = this.#parts.at(-1);
    if (!part) return '';
    const text = JSON.stringify(part.text);
    const done =
      part.type === 'refusal'
        ? this.events.eventOf('response.refusal.done', `${this.#where},"refusal":${text}}`)
        : this.events.eventOf('response.output_text.done', `${this.#where},"text":${text},"logprobs":[]}`);
    const rest = `${this.#where},"part":${JSON.stringify(partOf(part))}}`;
    return done + this.events.eventOf('response.content_part.done', rest);
  }
}

const partOf = ({ type, text, annotations }: TextPart): Members =>
  type === 'refusal' ? { type, refusal: text } : { type, text, annotations, logprobs: [] };

function flatAnnotation(annotation: Members): Members {
  if (annotation['type'] !== 'url_citation') return annotation;
  const { url, title, start_index: start, end_index: end, content } = membersOf(annotation['url_citation']);
  return {
    type: 'url_citation',
    url,
    title: title ?? url,
    start_index: wholeNumber(start) ?? 0,
    end_index: wholeNumber(end) ?? 0,
    ...(typeof content === 'string' ? { content } : {}),
  };
}
