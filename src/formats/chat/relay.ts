import type { GatewayError } from '../../kernel/errors/errors.js';
import { withoutPrototypeMembers } from '../../kernel/text/prototype-members.js';
import { badResponse, failedResponse, incompleteResponse } from '../bad-response.js';
import type { ResponseHead, ResponseOptions, StreamRelay } from '../client-format.js';
import type { FinishReason } from '../conversation.js';
import { chunkEvent, chunkHead, closing, failing } from './events.js';
import { ChunkChoices, type NormalisedChoice } from './chunk-choices.js';
import { chunkOf, errorOf, restOf, usageOf, variableOf, withoutReasoning } from './chunk-members.js';
import { citationsOf, createdOf } from './normalised-message.js';
import { elementsIn, hasMembers, isSet, membersOf, objectsIn, textOf, type Members } from '../members.js';
import { failureOfEvent } from '../response-members.js';
import { EventOutput } from '../relay/event-output.js';
import { LearntTemplates } from '../relay/learnt-templates.js';
import { ReceivedText } from '../relay/received-text.js';

export interface ChatRelayTerms extends ResponseHead, Pick<ResponseOptions, 'choices' | 'excludesReasoning'> {
  /** Converts a vendor's error object to a failure. */
  readonly failure: (error: unknown) => GatewayError;
}

const MAX_CHOICES = 1_024;
/** Members that contain text; `reasoning` has two names. */
const TEXT_MEMBERS = /"(?:content|reasoning_content|reasoning)"\s*:\s*"/g;

/**
 * Converts the chat chunks of one vendor to server-sent events for any client. `id`, `model` and `provider` are ours,
 * and forms that some clients refuse are converted. Sends the deltas first, with the role in the first delta of each
 * choice. Then sends one chunk with `finish_reason` for each choice, after the vendor's stream has ended. Most chunks
 * differ from an earlier one in a single string. Such a chunk is not parsed. It is compared with the template of the
 * earlier chunk, and its string is copied.
 */
export class ChatRelay implements StreamRelay {
  /** The usage that the vendor reported last. */
  usage: unknown;
  upstreamId: string | undefined;
  serviceTier: string | undefined;
  sawOutput = false;
  /** Set when the vendor has failed. Data before the failure was relayed. Later data is ignored. */
  failure: GatewayError | undefined;
  /** Whether the vendor sent `[DONE]`. Later data is ignored. */
  isDone = false;
  readonly #received = new ReceivedText();
  readonly #choices: ChunkChoices;
  readonly #templates = new LearntTemplates(this.#received, TEXT_MEMBERS);
  #created: number | undefined;
  #citations: readonly Members[] | undefined;
  #hasAnnotations = false;
  #isEnded = false;

  constructor(private readonly terms: ChatRelayTerms) {
    this.#choices = new ChunkChoices(terms.id);
  }

  get finishReason(): FinishReason | undefined {
    return this.#choices.finished()[0]?.reason;
  }

  get nativeFinishReason(): string | null | undefined {
    return this.#choices.finished()[0]?.native;
  }

  /**
   * Whether every choice that was sent has a finish reason, and either the requested number of choices was sent or the
   * vendor sent `[DONE]`.
   */
  get finished(): boolean {
    return this.#choices.areFinished && (this.isDone || this.#choices.count >= this.terms.choices);
  }

  text(): string[] {
    return [this.#received.toString()];
  }

  push(events: readonly Buffer[]): Buffer {
    let bytes = 0;
    for (const data of events) bytes += data.length + 160;
    const output = new EventOutput(bytes);
    for (const data of events) {
      if (this.failure || this.#isEnded) break;
      if (!this.#copy(data, output)) this.#parse(data, output);
    }
    return output.take();
  }

  pushWhole(body: Buffer): Uint8Array {
    return this.push([chunkOf(body), Buffer.from('[DONE]')]);
  }

  end(): Buffer {
    const output = new EventOutput(512);
    if (!this.failure) this.#end(output);
    return output.take();
  }

  closing(usage: object, serviceTier: string | undefined): Uint8Array {
    return closing(this.#head(), usage, serviceTier);
  }

  failing(error: unknown): Uint8Array {
    return failing(this.#head(), error);
  }

  #copy(data: Buffer, output: EventOutput): boolean {
    const template = this.#templates.copy(data, output);
    if (template?.usage !== undefined) this.usage = template.usage;
    return template !== undefined;
  }

  #parse(received: Buffer, output: EventOutput): void {
    const data = withoutPrototypeMembers(received);
    const text = data.toString('utf8').trim();
    if (text === '') return;
    if (text === '[DONE]') {
      this.isDone = true;
      return this.#end(output);
    }
    this.failure = failureOfEvent(text, (body) => this.#relay(body, data, output));
  }

  #relay(body: Members, data: Buffer, output: EventOutput): void {
    const error = errorOf(body);
    if (error !== undefined) throw this.terms.failure(error);
    this.upstreamId ??= textOf(body['id']) || undefined;
    this.serviceTier = textOf(body['service_tier']) ?? this.serviceTier;
    this.#created ??= createdOf(body['created']);
    const usage = usageOf(body);
    if (usage !== undefined) this.usage = usage;
    this.#citations = citationsOf(body) ?? this.#citations;
    const choices = this.#normalised(body);
    for (const { delta } of choices) this.#record(delta);
    const event = this.#event(body, choices);
    if (event !== '') output.write(event);
    if (choices.length === 1) this.#learn(data, event, choices[0]!, usage);
  }

  #normalised(body: Members): NormalisedChoice[] {
    const normalised = elementsIn(body['choices']).map((choice, position) => {
      const failed = membersOf(choice)['error'];
      if (isSet(failed)) throw this.terms.failure(failed);
      return this.#choices.normalise(membersOf(choice), position);
    });
    if (this.#choices.count > MAX_CHOICES) throw badResponse(`holds more than ${MAX_CHOICES} choices`);
    return normalised;
  }

  /** The chunk to relay; '' if none of its choices has content. */
  #event(body: Members, choices: readonly NormalisedChoice[]): string {
    const relayed = choices
      .map((choice) => (this.terms.excludesReasoning ? withoutReasoning(choice) : choice))
      .filter(({ delta }) => hasMembers(delta))
      .map(({ index, delta, rest }) => ({ index, delta, finish_reason: null, native_finish_reason: null, ...rest }));
    if (relayed.length === 0) return '';
    return chunkEvent({ ...chunkHead(this.#head()), choices: relayed, ...restOf(body) });
  }

  #record({ content, reasoning, refusal, tool_calls: calls, audio, images, annotations }: Members): void {
    const texts = [content, reasoning, refusal, membersOf(audio)['transcript']];
    for (const call of objectsIn(calls)) {
      const called = membersOf(call['function']);
      texts.push(called['name'], called['arguments']);
    }
    for (const text of texts) if (typeof text === 'string') this.#received.append(text);
    if (annotations !== undefined) this.#hasAnnotations = true;
    this.sawOutput ||= !this.#received.isEmpty || calls !== undefined || audio !== undefined || images !== undefined;
  }

  #learn(data: Buffer, event: string, choice: NormalisedChoice, usage: unknown): void {
    const variable = variableOf(choice);
    if (variable === undefined) return;
    const relay = (marked: Members, mark: string): string | undefined => {
      const [first, ...others] = this.#normalised(marked);
      const isText = others.length === 0 && first?.delta[variable] === mark && variableOf(first) === variable;
      return isText ? this.#event(marked, [first]) : undefined;
    };
    // Reasoning is relayed twice: in its own member and in its details.
    const copies = variable === 'content' ? 1 : this.terms.excludesReasoning ? 0 : 2;
    this.#templates.learn(data, event, { relay, copies, usage });
  }

  #end(output: EventOutput): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    if (!this.finished) return void (this.failure = incompleteResponse());
    const finished = this.#choices.finished();
    if (finished.some(({ reason }) => reason === 'error')) return void (this.failure = failedResponse());
    for (const { index, reason, native, hasRole } of finished) {
      const annotations = index === finished[0]!.index && !this.#hasAnnotations ? this.#citations : undefined;
      const first = { ...(hasRole ? {} : { role: 'assistant', content: '' }), ...(annotations ? { annotations } : {}) };
      if (hasMembers(first))
        this.#write(output, { index, delta: first, finish_reason: null, native_finish_reason: null });
      this.#write(output, { index, delta: {}, finish_reason: reason, native_finish_reason: native });
    }
  }

  #write(output: EventOutput, choice: Members): void {
    const tier = this.serviceTier === undefined ? {} : { service_tier: this.serviceTier };
    output.write(chunkEvent({ ...chunkHead(this.#head()), choices: [choice], ...tier }));
  }

  /** `created` is the same in every chunk. */
  #head(): ResponseHead {
    const { id, model, provider, created } = this.terms;
    return { id, model, provider, created: this.#created ?? created };
  }
}
