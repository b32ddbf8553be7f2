import type { Delta, ReasoningDetail } from '../../conversation.js';
import { mergeReasoningDetails } from '../../reasoning-details.js';
import type { Members } from '../../members.js';
import { itemAdded, itemDone, type ItemPlace, type OpenItem } from './open-message.js';
import { encryptedContentOf } from '../reasoning-content.js';
import type { ResponseEvents } from '../events.js';

type ReasoningDelta = Extract<Delta, { type: 'reasoning' }>;

/** The events of each kind of part. The events of summaries and plain texts differ only in their names. */
const KINDS = {
  summary: {
    type: 'summary_text',
    index: 'summary_index',
    added: 'response.reasoning_summary_part.added',
    delta: 'response.reasoning_summary_text.delta',
    textDone: 'response.reasoning_summary_text.done',
    done: 'response.reasoning_summary_part.done',
  },
  text: {
    type: 'reasoning_text',
    index: 'content_index',
    added: 'response.content_part.added',
    delta: 'response.reasoning_text.delta',
    textDone: 'response.reasoning_text.done',
    done: 'response.content_part.done',
  },
} as const;
type Kind = (typeof KINDS)[keyof typeof KINDS];

interface ReasoningPart {
  readonly kind: Kind;
  readonly entry: number | undefined;
  /** The members that identify the part in its events, as JSON without braces. */
  readonly where: string;
  text: string;
}

/** Writes the reasoning between two other items: its readable parts, and the entries that the client must send back. */
export class OpenReasoning implements OpenItem {
  readonly #parts: ReasoningPart[] = [];
  readonly #details: ReasoningDetail[] = [];
  #isOpen = false;
  #isCut = false;

  constructor(
    private readonly events: ResponseEvents,
    private readonly place: ItemPlace,
  ) {}

  begin(): string {
    return itemAdded(this.events, this.place, { type: 'reasoning', id: this.place.id, summary: [] });
  }

  add({ text, detail }: ReasoningDelta): string {
    // A text without an entry becomes an entry without a signature.
    const entry: ReasoningDetail | undefined =
      detail ?? (text === undefined ? undefined : { type: 'reasoning.text', text, format: 'unknown' });
    if (entry) this.#details.push(entry);
    const readable = text ?? detail?.text ?? detail?.summary;
    if (!readable) return '';
    const kind = entry?.type === 'reasoning.summary' ? KINDS.summary : KINDS.text;
    const started = this.#begin(kind, entry?.index);
    const part = this.#parts.at(-1)!;
    part.text += readable;
    return started + this.events.eventOf(kind.delta, `${part.where},"delta":${JSON.stringify(readable)}}`);
  }

  end(isCut: boolean): string {
    this.#isCut = isCut;
    return this.#endPart() + itemDone(this.events, this.place, this.item);
  }

  get item(): Members {
    const details = mergeReasoningDetails(this.#details);
    const content = this.#partsOf(KINDS.text);
    const encrypted = encryptedContentOf(details);
    const format = details.find((detail) => detail.format !== 'unknown')?.format;
    return {
      type: 'reasoning',
      id: this.place.id,
      summary: this.#partsOf(KINDS.summary),
      ...(content.length > 0 ? { content } : {}),
      ...(encrypted === undefined ? {} : { encrypted_content: encrypted }),
      ...(format === undefined ? {} : { format }),
      ...(this.#isCut ? { status: 'incomplete' } : {}),
    };
  }

  #partsOf(kind: Kind): Members[] {
    return this.#parts.filter((part) => part.kind === kind).map(partOf);
  }

  #begin(kind: Kind, entry: number | undefined): string {
    const last = this.#parts.at(-1);
    if (last && this.#isOpen && last.kind === kind && last.entry === entry) return '';
    const ended = this.#endPart();
    const { id, index } = this.place;
    const before = this.#parts.filter((part) => part.kind === kind).length;
    const where = `"item_id":${JSON.stringify(id)},"output_index":${index},"${kind.index}":${before}`;
    const part: ReasoningPart = { kind, entry, where, text: '' };
    this.#parts.push(part);
    this.#isOpen = true;
    return ended + this.events.eventOf(kind.added, `${where},"part":${JSON.stringify(partOf(part))}}`);
  }

  #endPart(): string {
    const part = this.#parts.at(-1);
    if (!part || !this.#isOpen) return '';
    this.#isOpen = false;
    const { kind, where, text } = part;
    return (
      this.events.eventOf(kind.textDone, `${where},"text":${JSON.stringify(text)}}`) +
      this.events.eventOf(kind.done, `${where},"part":${JSON.stringify(partOf(part))}}`)
    );
  }
}

const partOf = ({ kind: { type }, text }: ReasoningPart): Members => ({ type, text });
