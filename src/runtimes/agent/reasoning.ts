/** An entry of `reasoning_details`, in the vendor's form. */
export type SentReasoning = Readonly<Record<string, unknown>>;

/** A model's reasoning before its response. */
export interface Reasoning {
  /** The readable part. */
  readonly reasoning?: string;
  /** Sent back to the vendor unchanged and in order, because the vendor checks the signatures. */
  readonly reasoningDetails?: readonly SentReasoning[];
}

/** Longer reasoning is not sent back. */
const MAX_CHARACTERS = 1_000_000;
const GROWING = ['text', 'summary'] as const;

/** Collects the reasoning of a response from the pieces of a stream. */
export class ReasoningPieces {
  #text = '';
  #size = 0;
  readonly #details: Record<string, unknown>[] = [];

  get whole(): Reasoning {
    if (this.#size > MAX_CHARACTERS) return {};
    return {
      ...(this.#text === '' ? {} : { reasoning: this.#text }),
      ...(this.#details.length === 0 ? {} : { reasoningDetails: this.#details }),
    };
  }

  addText(text: string): void {
    this.#size += text.length;
    if (this.#size <= MAX_CHARACTERS) this.#text += text;
  }

  /** Pieces of one entry are consecutive, and have the same type, format and index. A signature is the last piece. */
  addDetails(pieces: unknown): void {
    if (!Array.isArray(pieces)) return;
    for (const piece of pieces as unknown[]) {
      if (!isObject(piece)) continue;
      this.#size += JSON.stringify(piece).length;
      if (this.#size > MAX_CHARACTERS) return;
      const last = this.#details.at(-1);
      if (last && belongsTo(last, piece)) extend(last, piece);
      else this.#details.push({ ...piece });
    }
  }
}

const isObject = (value: unknown): value is SentReasoning =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isAbsent = (value: unknown): boolean => value === undefined || value === null;

const belongsTo = (last: SentReasoning, next: SentReasoning): boolean =>
  next['type'] !== 'reasoning.encrypted' &&
  ['type', 'format', 'index'].every((name) => last[name] === next[name]) &&
  isAbsent(last['signature']) &&
  (isAbsent(last['id']) || isAbsent(next['id']) || last['id'] === next['id']);

function extend(last: Record<string, unknown>, next: SentReasoning): void {
  for (const [name, value] of Object.entries(next)) {
    const before = last[name];
    const grows = GROWING.some((each) => each === name) && typeof before === 'string' && typeof value === 'string';
    if (!isAbsent(value)) last[name] = grows ? before + value : value;
  }
}
