import type { GatewayError } from '../../kernel/errors/errors.js';
import { incompleteResponse } from '../bad-response.js';
import { withoutPrototypeMembers } from '../../kernel/text/prototype-members.js';
import type { FinishReason } from '../conversation.js';
import type { ResponseHead, StreamRelay } from '../client-format.js';
import { elementsIn, isObject, membersOf, textOf, type Members } from '../members.js';
import { failureOfEvent } from '../response-members.js';
import { EventOutput } from '../relay/event-output.js';
import { LearntTemplates } from '../relay/learnt-templates.js';
import { ReceivedText } from '../relay/received-text.js';
import { mergeMessagesUsage } from '../usage-readers.js';
import { emptyMessage, errorEvent, eventOf, MESSAGE_STOP, stepEvent } from './events.js';
import {
  errorOf,
  finishOf,
  isSearch,
  searchesMade,
  servedTier,
  startedMessage,
  textsOfBlock,
  wholeMessageEvents,
  withoutNulls,
} from './complete.js';

/** Members that contain the text of a delta. */
const TEXT_MEMBERS = /"(?:text|thinking|partial_json)"\s*:\s*"/g;
/** The member that contains the text of a delta, by the type of the delta. */
const TEXT_OF_DELTA: ReadonlyMap<unknown, string> = new Map([
  ['text_delta', 'text'],
  ['thinking_delta', 'thinking'],
  ['input_json_delta', 'partial_json'],
]);
/** Valid names of events. Other characters would break the stream's framing. */
const EVENT_NAME = /^[a-z_]{1,64}$/;
/** Matches line breaks, which valid JSON has only between tokens. */
const LINE_BREAK = /[\r\n]+/;

/**
 * Converts the events of a vendor's stream of `/messages` to events for any client. `message_start` has our `id` and
 * `model`, every event has its name, and the last two events are delayed until the call is billed. All other events are
 * forwarded unchanged.
 */
export class MessagesRelay implements StreamRelay {
  /** The usage that the vendor reported so far. Its counts are cumulative. */
  usage: unknown;
  upstreamId: string | undefined;
  serviceTier: string | undefined;
  failure: GatewayError | undefined;
  sawOutput = false;
  isDone = false;
  readonly #received = new ReceivedText();
  readonly #templates = new LearntTemplates(this.#received, TEXT_MEMBERS);
  #hasBegun = false;
  #isEnded = false;
  #hasToolUse = false;
  #searches = 0;
  /** The members of the vendor's `message_delta` events. Later members replace earlier ones. */
  #ending: Members = {};
  /** The members of `delta` in the vendor's `message_delta` events. Later members replace earlier ones. */
  #endingDelta: Members = {};

  constructor(
    private readonly head: ResponseHead,
    /** Converts a vendor's error object to a failure. */
    private readonly failureOf: (error: unknown) => GatewayError,
  ) {}

  get finished(): boolean {
    return this.nativeFinishReason !== undefined;
  }

  get finishReason(): FinishReason | undefined {
    const native = this.nativeFinishReason;
    return native === undefined ? undefined : finishOf(native, this.#hasToolUse);
  }

  get nativeFinishReason(): string | undefined {
    return textOf(this.#endingDelta['stop_reason']) || undefined;
  }

  text(): string[] {
    return [this.#received.toString()];
  }

  push(events: readonly Buffer[]): Uint8Array {
    let bytes = 0;
    for (const data of events) bytes += data.length + 64;
    const output = new EventOutput(bytes);
    for (const data of events) {
      if (this.failure || this.isDone) break;
      if (!this.#templates.copy(data, output)) this.#parse(data, output);
    }
    return output.take();
  }

  pushWhole(body: Buffer): Uint8Array {
    return Buffer.concat([this.push(wholeMessageEvents(body)), this.end()]);
  }

  end(): Uint8Array {
    const output = new EventOutput(512);
    if (!this.failure && !this.#isEnded) {
      this.#isEnded = true;
      if (this.finished) this.#begin(output);
      else this.failure = incompleteResponse();
    }
    return output.take();
  }

  closing(usage: object): Uint8Array {
    const delta = { stop_sequence: null, ...this.#endingDelta };
    const reported = membersOf(this.usage);
    const end = { ...this.#ending, type: 'message_delta', delta, usage: { ...reported, ...usage } };
    return Buffer.from(stepEvent(end) + MESSAGE_STOP);
  }

  failing(error: unknown): Uint8Array {
    return errorEvent(this.head.id, error);
  }

  #parse(received: Buffer, output: EventOutput): void {
    const data = withoutPrototypeMembers(received);
    const text = data.toString('utf8').trim();
    // Some vendors end the stream with the end mark of another format.
    if (text === '' || text === '[DONE]') return;
    this.failure = failureOfEvent(text, (event) => this.#relay(event, text, data, output));
  }

  #relay(event: Members, text: string, data: Buffer, output: EventOutput): void {
    const { type } = event;
    const error = errorOf(event);
    if (error !== undefined) throw this.failureOf(error);
    switch (type) {
      case 'message_start':
        return this.#start(membersOf(event['message']), event, output);
      case 'message_delta':
        return this.#hold(event);
      case 'message_stop':
        this.isDone = true;
        return;
      case 'content_block_delta':
        return this.#delta(event, text, data, output);
      case 'content_block_start':
        this.#note(membersOf(event['content_block']));
        break;
    }
    if (typeof type === 'string' && EVENT_NAME.test(type)) this.#pass(type, text, output);
  }

  /** Forwards an event unchanged, except for line breaks between JSON tokens, which would end the line. */
  #pass(type: string, text: string, output: EventOutput): void {
    if (type !== 'ping') this.#begin(output);
    output.write(eventOf(type, text.split(LINE_BREAK).join(' ')));
  }

  #start(message: Members, event: Members, output: EventOutput): void {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    this.upstreamId = textOf(message['id']) || undefined;
    this.#report(message['usage']);
    for (const block of elementsIn(message['content'])) this.#note(membersOf(block));
    output.write(stepEvent({ ...event, type: 'message_start', message: startedMessage(message, this.head) }));
  }

  /** Writes `message_start` if the vendor has omitted it. */
  #begin(output: EventOutput): void {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    output.write(stepEvent({ type: 'message_start', message: emptyMessage(this.head) }));
  }

  #hold(event: Members): void {
    const { type: _type, delta, usage, ...rest } = event;
    this.#ending = { ...this.#ending, ...rest };
    this.#endingDelta = { ...this.#endingDelta, ...withoutNulls(membersOf(delta)) };
    this.#report(usage);
  }

  #report(usage: unknown): void {
    if (!isObject(usage)) return;
    this.usage = mergeMessagesUsage(this.usage, usage);
    this.serviceTier = servedTier(usage) ?? this.serviceTier;
  }

  #delta(event: Members, text: string, data: Buffer, output: EventOutput): void {
    const delta = membersOf(event['delta']);
    const member = TEXT_OF_DELTA.get(delta['type']);
    const words = member === undefined ? undefined : textOf(delta[member]);
    if (words) {
      this.sawOutput = true;
      this.#received.append(words);
    }
    this.#pass('content_block_delta', text, output);
    if (!words || LINE_BREAK.test(text)) return;
    this.#templates.learn(data, eventOf('content_block_delta', text), {
      relay: (marked, mark, json) =>
        membersOf(marked['delta'])[member!] === mark ? eventOf('content_block_delta', json) : undefined,
      copies: 1,
      usage: undefined,
    });
  }

  #note(block: Members): void {
    const { type } = block;
    if (type === 'tool_use') this.#hasToolUse = true;
    // Counted here, because the vendor's report arrives later, or never if the caller disconnects.
    if (isSearch(block)) this.usage = mergeMessagesUsage(this.usage, searchesMade(++this.#searches));
    const texts = textsOfBlock(block);
    for (const text of texts) this.#received.append(text);
    this.sawOutput ||= texts.length > 0 || (type !== 'text' && type !== 'thinking');
  }
}
