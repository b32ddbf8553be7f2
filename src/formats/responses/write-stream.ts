import type { Delta, FinishReason } from '../conversation.js';
import type { CompleteBody, ResponseHead, ResponseOptions, StreamWriter } from '../client-format.js';
import type { Members } from '../members.js';
import { WrittenProgress } from '../written-progress.js';
import { failedEvents } from './failed-response.js';
import { OpenToolCall } from './items/open-tool-call.js';
import { itemAdded, itemDone, OpenMessage, type ItemPlace, type OpenItem } from './items/open-message.js';
import { OpenReasoning } from './items/open-reasoning.js';
import { eventText, ResponseEvents } from './events.js';
import { responseObject, statusMembers } from './response-object.js';

const DATA_URL_HEAD = /^data:[^,]*,/;

/**
 * Writes steps of a response as stream events of `/responses`. After the start of the response, each item has events
 * for its start, its deltas and its end. The last event repeats all items. A message or reasoning ends when another
 * item starts. Tool calls end only when the response ends, because pieces of several tool calls may be interleaved. If
 * the response is incomplete, the item with the last output is incomplete. A body that is not streamed has the same
 * items.
 */
export class ResponsesWriter extends WrittenProgress implements StreamWriter, CompleteBody {
  readonly #events = new ResponseEvents();
  /** In the order of the output. */
  readonly #items: OpenItem[] = [];
  readonly #calls = new Map<number, OpenToolCall>();
  #open: OpenMessage | OpenReasoning | undefined;
  /** The last step that generated output. */
  #lastOutput: Delta | undefined;
  readonly #request: Members;

  constructor(
    private readonly head: ResponseHead,
    private readonly options: ResponseOptions,
  ) {
    super();
    this.#request = options.request ?? {};
  }

  write(deltas: readonly Delta[]): string {
    let events = this.#events.sequence === 0 ? this.#begin() : '';
    for (const delta of deltas) {
      // A response of this format has one choice.
      if ((delta.choice ?? 0) !== 0) continue;
      this.track(delta);
      events += this.#write(delta);
    }
    return events;
  }

  closing(usage: object, serviceTier: string | undefined): Uint8Array {
    const response = this.#response(usage, serviceTier);
    // Does not increment the sequence number, because the event is written once for each reader, with the usage of that
    // reader.
    return Buffer.from(eventText(`response.${String(response['status'])}`, this.#events.sequence, { response }));
  }

  failing(error: unknown): Uint8Array {
    return failedEvents(this.head, this.#request, this.#events.sequence, error);
  }

  add(deltas: readonly Delta[]): void {
    this.write(deltas);
  }

  body(usage: object, serviceTier?: string): string {
    return JSON.stringify(this.#response(usage, serviceTier));
  }

  #response(usage: object, serviceTier: string | undefined): Members {
    return {
      ...responseObject(this.head, this.#request),
      completed_at: Math.floor(Date.now() / 1_000),
      ...statusMembers(this.finishReason),
      output: this.#items.map(({ item }) => item),
      service_tier: serviceTier,
      usage,
    };
  }

  #begin(): string {
    const rest = `"response":${JSON.stringify(responseObject(this.head, this.#request))}}`;
    return this.#events.eventOf('response.created', rest) + this.#events.eventOf('response.in_progress', rest);
  }

  #write(delta: Delta): string {
    if (delta.type !== 'annotation' && delta.type !== 'finish') this.#lastOutput = delta;
    switch (delta.type) {
      case 'text':
        return this.#message((message) => message.text(delta.text));
      case 'refusal':
        return this.#message((message) => message.refusal(delta.text));
      case 'annotation':
        return this.#message((message) => message.annotation(delta.annotation));
      case 'reasoning':
        return this.options.excludesReasoning ? '' : this.#reasoning(delta);
      case 'tool_call':
        return this.#call(delta);
      case 'image':
        return this.#image(delta.dataUrl);
      default:
        return this.#endAll(delta.reason);
    }
  }

  #message(add: (message: OpenMessage) => string): string {
    if (this.#open instanceof OpenMessage) return add(this.#open);
    const ended = this.#endOpen();
    const message = new OpenMessage(this.#events, this.#place('msg'));
    this.#open = message;
    this.#items.push(message);
    return ended + message.begin() + add(message);
  }

  #reasoning(delta: Extract<Delta, { type: 'reasoning' }>): string {
    if (this.#open instanceof OpenReasoning) return this.#open.add(delta);
    const ended = this.#endOpen();
    const reasoning = new OpenReasoning(this.#events, this.#place('rs'));
    this.#open = reasoning;
    this.#items.push(reasoning);
    return ended + reasoning.begin() + reasoning.add(delta);
  }

  #call({ index, id, name, arguments: json }: Extract<Delta, { type: 'tool_call' }>): string {
    const open = this.#calls.get(index);
    if (open) return open.add(json);
    const ended = this.#endOpen();
    const place = this.#place('fc');
    const grouped = this.options.toolNames?.get(name ?? '');
    const call = new OpenToolCall(this.#events, place, { id: id ?? `call_${place.id}`, name: name ?? '', ...grouped });
    this.#calls.set(index, call);
    this.#items.push(call);
    return ended + call.begin() + call.add(json);
  }

  #image(dataUrl: string): string {
    const ended = this.#endOpen();
    const place = this.#place('ig');
    const { id } = place;
    const started = { type: 'image_generation_call', id, status: 'in_progress', result: null };
    const item = { ...started, status: 'completed', result: dataUrl.replace(DATA_URL_HEAD, '') };
    this.#items.push({ item, end: () => '' });
    return ended + itemAdded(this.#events, place, started) + itemDone(this.#events, place, item);
  }

  #place(prefix: string): ItemPlace {
    const index = this.#items.length;
    return { id: `${prefix}_${this.head.id}_${index}`, index };
  }

  /**
   * The item that is incomplete if the response ends now; undefined if the last output is a picture or excluded
   * reasoning.
   */
  #lastItem(): OpenItem | undefined {
    const last = this.#lastOutput;
    if (last?.type === 'tool_call') return this.#calls.get(last.index);
    return last?.type === 'reasoning' && this.options.excludesReasoning ? undefined : this.#open;
  }

  #endOpen(cut?: OpenItem): string {
    const ended = this.#open?.end(this.#open === cut) ?? '';
    this.#open = undefined;
    return ended;
  }

  #endAll(reason: FinishReason): string {
    const cut = statusMembers(reason)['status'] === 'incomplete' ? this.#lastItem() : undefined;
    let events = this.#endOpen(cut);
    for (const call of this.#calls.values()) events += call.end(call === cut);
    this.#calls.clear();
    return events;
  }
}
