import type { GatewayError } from '../../kernel/errors/errors.js';
import { incompleteResponse } from '../bad-response.js';
import { withoutPrototypeMembers } from '../../kernel/text/prototype-members.js';
import type { FinishReason } from '../conversation.js';
import type { ResponseHead, StreamRelay } from '../client-format.js';
import { isSet, membersOf, textOf, wholeNumber, type Members } from '../members.js';
import { failureOfEvent, objectIn, printed } from '../response-members.js';
import { EventOutput } from '../relay/event-output.js';
import { ReceivedText } from '../relay/received-text.js';
import { DeltaTemplates } from './delta-templates.js';
import { eventText } from './events.js';
import { eventsOfResponse } from './events-of-response.js';
import { failedEvents } from './failed-response.js';
import { NormalisedEvents } from './normalised-events.js';
import { textsOfItem } from './items/output-items.js';
import {
  endedResponse,
  endOf,
  HostedCalls,
  normalisedResponse,
  outputOf,
  usageOfResponse,
  type ResponseTerms,
} from './response-object.js';

export interface ResponsesRelayTerms extends ResponseTerms {
  readonly head: ResponseHead;
  /** Converts a vendor's error object to a failure. */
  readonly failure: (error: unknown) => GatewayError;
}

/** Valid types of events. Other characters would break the stream's framing. */
const EVENT_NAME = /^response\.[a-z0-9_.]{1,100}$/;
const EVENT_END = Buffer.from('\n\n');
const NOTHING = Buffer.alloc(0);
/** The events at the start of a stream. They contain the response object. */
const FIRST_EVENTS: ReadonlySet<string> = new Set(['response.created', 'response.in_progress', 'response.queued']);
const LAST_EVENTS: ReadonlySet<string> = new Set(['response.completed', 'response.incomplete']);
const FAILED_EVENTS: ReadonlySet<string> = new Set(['response.failed', 'response.cancelled']);

/**
 * Forwards the events of a vendor's stream. Only response objects in events contain our own members. Therefore most
 * events are sent unchanged, with the vendor's sequence numbers, and deltas of a learnt form are not parsed. The last
 * event is delayed until the call is billed.
 */
export class ResponsesRelay implements StreamRelay {
  /** The usage that the vendor reported. Before the report, the counted calls of the vendor's own tools. */
  usage: unknown;
  upstreamId: string | undefined;
  serviceTier: string | undefined;
  sawOutput = false;
  failure: GatewayError | undefined;
  isDone = false;
  finishReason: FinishReason | undefined;
  nativeFinishReason: string | null | undefined;
  readonly #received = new ReceivedText();
  readonly #templates = new DeltaTemplates();
  readonly #normalised: NormalisedEvents;
  readonly #hosted = new HostedCalls();
  /** The number of the latest event. */
  #sequence = -1;
  #head: ResponseHead;
  /**
   * The events that start the response. They are delayed until another event follows, so that an earlier failure of the
   * vendor can still be returned with an HTTP error status. Undefined after they were sent.
   */
  #beginning: string | undefined = '';
  /** The last event without its usage, up to the brace that closes the response. */
  #last: string | undefined;

  constructor(private readonly terms: ResponsesRelayTerms) {
    this.#head = terms.head;
    this.#normalised = new NormalisedEvents(terms.toolNames);
  }

  get finished(): boolean {
    return this.#last !== undefined;
  }

  text(): string[] {
    return [this.#received.toString()];
  }

  push(events: readonly Buffer[]): Buffer {
    let bytes = 0;
    for (const data of events) bytes += data.length + 64;
    const output = new EventOutput(bytes);
    for (const data of events) {
      if (this.failure || this.isDone) break;
      if (!this.#copy(data, output)) this.#parse(data, output);
    }
    return output.take();
  }

  pushWhole(body: Buffer): Uint8Array {
    const response = objectIn(body.toString('utf8'));
    if (response?.['object'] === 'response')
      return this.push(eventsOfResponse(response).map((event) => Buffer.from(printed(event))));
    const bytes = this.push([body]);
    return this.failure ? bytes : Buffer.concat([bytes, this.end()]);
  }

  end(): Uint8Array {
    if (!this.failure && !this.finished) this.failure = incompleteResponse();
    return NOTHING;
  }

  closing(usage: object): Uint8Array {
    return Buffer.from(`${this.#last},"usage":${JSON.stringify(usage)}}}\n\n`);
  }

  failing(error: unknown): Uint8Array {
    const next = this.#beginning === undefined ? this.#sequence + 1 : 0;
    return failedEvents(this.#head, this.terms.request, next, error);
  }

  #copy(data: Buffer, output: EventOutput): boolean {
    const templates = this.#templates;
    if (!templates.match(data)) return false;
    const { before, start, end } = templates;
    this.#sequence = templates.sequence;
    if (end > start) {
      this.sawOutput = true;
      this.#received.appendJson(data, start, end);
    }
    if (before.length > 0) writeUnchanged(data, before, output);
    return true;
  }

  #parse(received: Buffer, output: EventOutput): void {
    const data = withoutPrototypeMembers(received);
    const text = data.toString('utf8').trim();
    if (text === '') return;
    // An end mark before the last event means that the response is not complete.
    if (text === '[DONE]') return void this.end();
    this.failure = failureOfEvent(text, (body) => this.#relay(body, data, output));
  }

  #relay(body: Members, data: Buffer, output: EventOutput): void {
    const { type: sentType, error } = body;
    const type = textOf(sentType);
    if (type === 'error' || (type === undefined && isSet(error))) throw this.terms.failure(isSet(error) ? error : body);
    // Skips events of unknown types, such as a vendor's keep-alive events, because clients refuse them.
    if (type === undefined || !EVENT_NAME.test(type)) return;
    const response = membersOf(body['response']);
    if (FAILED_EVENTS.has(type)) throw this.terms.failure(response['error'] ?? response);
    if (!FIRST_EVENTS.has(type)) this.#begin(output);
    if (LAST_EVENTS.has(type)) return this.#finish(type, body, response);
    if (!FIRST_EVENTS.has(type)) return this.#pass(type, body, data, output);
    this.#readHead(response);
    const started = { ...normalisedResponse(response, this.#head, this.terms), usage: null };
    this.#sequence = this.#numberOf(body);
    const event = eventText(type, this.#sequence, { ...body, response: started });
    if (this.#beginning === undefined) output.write(event);
    else this.#beginning += event;
  }

  #begin(output: EventOutput): void {
    if (this.#beginning) output.write(this.#beginning);
    this.#beginning = undefined;
  }

  #readHead(response: Members): void {
    this.upstreamId ??= textOf(response['id']) || undefined;
    this.serviceTier = textOf(response['service_tier']) ?? this.serviceTier;
    const created = wholeNumber(response['created_at']);
    if (created !== undefined) this.#head = { ...this.#head, created };
  }

  #pass(type: string, body: Members, data: Buffer, output: EventOutput): void {
    const { delta } = body;
    if (typeof delta === 'string' && delta !== '') {
      this.sawOutput = true;
      this.#received.append(delta);
    }
    // The work of the vendor's tools is billed, even if the caller disconnects before the report.
    if (type === 'response.output_item.done' && this.#hosted.add(membersOf(body['item'])))
      this.usage = this.#hosted.usage();
    const normalised = this.#normalised.of(type, body);
    const isHidden = this.terms.excludesReasoning && this.#normalised.isReasoning(type, body);
    const isUnchanged = normalised === body && Number.isSafeInteger(body['sequence_number']) && isOneLine(data);
    const before = isHidden ? NOTHING : Buffer.from(`event: ${type}\ndata: `);
    if (isHidden) this.#sequence = this.#numberOf(body);
    else if (!isUnchanged) return this.#write(type, normalised, output);
    else {
      this.#sequence = this.#numberOf(body);
      writeUnchanged(data, before, output);
    }
    if (typeof delta === 'string' && isUnchanged) this.#templates.learn(data, before);
  }

  #finish(type: string, body: Members, sent: Members): void {
    // Some vendors express the status only in the type of the event.
    const response: Members = { ...sent, status: sent['status'] ?? type.slice('response.'.length) };
    const end = endOf(response);
    if (!end) throw this.terms.failure(response['error'] ?? response);
    this.#readHead(response);
    const output = outputOf(response);
    if (this.#received.isEmpty) for (const text of output.flatMap(textsOfItem)) this.#received.append(text);
    this.sawOutput ||= !this.#received.isEmpty || output.some(({ type }) => type !== 'message');
    const ended = endedResponse(response, this.#head, this.terms);
    const last = { ...body, type, sequence_number: this.#numberOf(body), response: undefined };
    // Serialised before anything is billed, because a response that is nested too deeply counts as failed.
    const [event, members] = [JSON.stringify(last), JSON.stringify(ended)];
    this.#last = `event: ${type}\ndata: ${event.slice(0, -1)},"response":${members.slice(0, -1)}`;
    this.usage = usageOfResponse(response);
    this.finishReason = end.reason;
    this.nativeFinishReason = end.native;
    this.isDone = true;
  }

  #write(type: string, body: Members, output: EventOutput): void {
    this.#sequence = this.#numberOf(body);
    output.write(eventText(type, this.#sequence, body));
  }

  /** The vendor's own number, or the next number if the vendor sends none. */
  #numberOf({ sequence_number: number }: Members): number {
    return wholeNumber(number) ?? this.#sequence + 1;
  }
}

function writeUnchanged(data: Buffer, before: Buffer, output: EventOutput): void {
  output.copy(before, 0, before.length);
  output.copy(data, 0, data.length);
  output.copy(EVENT_END, 0, EVENT_END.length);
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const isOneLine = (data: Buffer): boolean => !data.includes(LINE_FEED) && !data.includes(CARRIAGE_RETURN);
