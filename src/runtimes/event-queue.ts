import type { TurnEvent } from './turn.js';

/** Maximum unread text of one turn. If more is unread, the reader has disconnected or hangs. */
const MAX_UNREAD_CHARACTERS = 4_194_304;

/** The events of a turn until they are read. Waiting texts are joined. */
export class EventQueue implements AsyncIterable<TurnEvent> {
  readonly #events: TurnEvent[] = [];
  #unread = 0;
  #wake: (() => void) | undefined;

  /** Returns false if too much is unread, and does not add the event. A last event is always added. */
  push(event: TurnEvent): boolean {
    const size = sizeOf(event);
    if (this.#unread + size > MAX_UNREAD_CHARACTERS && !isLast(event)) return false;
    this.#unread += size;
    const last = this.#events.at(-1);
    if ((event.type === 'text' || event.type === 'reasoning') && last?.type === event.type)
      this.#events[this.#events.length - 1] = { type: event.type, text: last.text + event.text };
    else this.#events.push(event);
    this.#wake?.();
    return true;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<TurnEvent> {
    for (;;) {
      const event = this.#events.shift();
      if (!event) {
        await new Promise<void>((resolve) => (this.#wake = resolve));
        continue;
      }
      this.#unread -= sizeOf(event);
      yield event;
      if (isLast(event)) return;
    }
  }
}

const sizeOf = (event: TurnEvent): number => ('text' in event ? event.text.length : 1_024);

const isLast = ({ type }: TurnEvent): boolean => type === 'end' || type === 'failed';
