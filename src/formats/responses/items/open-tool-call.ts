import type { Members } from '../../members.js';
import { itemAdded, itemDone, type ItemPlace, type OpenItem } from './open-message.js';
import type { ResponseEvents } from '../events.js';

/** Writes a function call. */
export class OpenToolCall implements OpenItem {
  #arguments = '';
  #status = 'completed';
  readonly #where: string;

  constructor(
    private readonly events: ResponseEvents,
    private readonly place: ItemPlace,
    private readonly call: { readonly id: string; readonly name: string; readonly namespace?: string },
  ) {
    this.#where = `"item_id":${JSON.stringify(place.id)},"output_index":${place.index}`;
  }

  begin(): string {
    return itemAdded(this.events, this.place, this.#itemOf('in_progress'));
  }

  add(json: string): string {
    if (json === '') return '';
    this.#arguments += json;
    const rest = `${this.#where},"delta":${JSON.stringify(json)}}`;
    return this.events.eventOf('response.function_call_arguments.delta', rest);
  }

  end(isCut: boolean): string {
    if (isCut) this.#status = 'incomplete';
    const { name } = this.call;
    const rest = `${this.#where},"name":${JSON.stringify(name)},"arguments":${JSON.stringify(this.#arguments)}}`;
    return (
      this.events.eventOf('response.function_call_arguments.done', rest) + itemDone(this.events, this.place, this.item)
    );
  }

  get item(): Members {
    return this.#itemOf(this.#status);
  }

  #itemOf(status: string): Members {
    const { id: callId, name, namespace } = this.call;
    const { id } = this.place;
    return { type: 'function_call', id, call_id: callId, name, namespace, arguments: this.#arguments, status };
  }
}
