import { isObject, type Members } from '../../../formats/members.js';
import type { LanguageModelV4, LanguageModelV4StreamPart, LanguageModelV4Usage } from '@ai-sdk/provider';
import { notFound } from '../../../kernel/errors/errors.js';
import type { Delta } from '../../../formats/conversation.js';
import type { EndpointName, ListCall } from '../../ports/endpoint-call.js';
import type { ReferenceSource } from '../../ports/reference-source.port.js';
import { TextAdapter, type ConversationCall, type WireCall } from '../../ports/text-adapter.port.js';
import type {
  ConversationResponse,
  FormatOperation,
  VendorFormat,
  WireResponse,
} from '../../../formats/vendor-text.js';
import { boundedEventsOf, maxEventBytesOf } from '../../wire/bounded-events.js';
import { badResponse } from '../../../formats/bad-response.js';
import { NOTHING_FETCHED, withInlineMedia } from '../inline-media.js';
import type { MessagesEndpoint } from './messages-endpoint.js';
import { MessagesUsage } from './messages-usage.js';
import { sdkCallOptions, withReachableMedia } from './sdk-call-options.js';
import type { SdkCalls } from './sdk-calls.js';
import { SdkDeltas } from './sdk-deltas.js';
import { BILLS_TO_THE_END, COUNTS_TOKENS, SDK_TEXT_VENDORS, type SdkTextVendor } from './sdk-text-vendors.js';

type Batch = IteratorResult<readonly Delta[], undefined>;
const END: Batch = { done: true, value: undefined };
const NO_FORMATS: readonly VendorFormat[] = [];
const NO_OPERATIONS: readonly FormatOperation[] = [];
const COUNT_TOKENS: readonly FormatOperation[] = ['count_tokens'];
const NO_URL_PATTERNS = {};
const MAX_PARTS_PER_TURN = 64;
const turnOfLoop = (): Promise<undefined> => new Promise((resolve) => void setImmediate(resolve, undefined));

/** Text through a vendor's package of the Vercel AI SDK. */
export class SdkTextAdapter extends TextAdapter {
  readonly name = 'ai-sdk';

  /**
   * `references` fetches pictures and documents for vendors that do not fetch URLs. If absent, URLs for these vendors
   * are refused. `messages` sends requests as bytes to vendors that accept them. If absent, the package sends all
   * requests.
   */
  constructor(
    private readonly calls: SdkCalls,
    private readonly references?: ReferenceSource,
    private readonly messages?: MessagesEndpoint,
  ) {
    super(calls);
  }

  override unreachableReason(endpoint: EndpointName): string | undefined {
    const reason = super.unreachableReason(endpoint);
    if (reason !== undefined || vendorOf(endpoint)) return reason;
    return `The package ${endpoint.package} generates no text on this service`;
  }

  override listModels(call: ListCall): Promise<readonly string[]> | undefined {
    return this.calls.takesPlainKey(call) ? this.messages?.listModels(call) : undefined;
  }

  override formatsOf(endpoint: EndpointName): readonly VendorFormat[] {
    return (this.messages && vendorOf(endpoint)?.formats) ?? NO_FORMATS;
  }

  override operationsOf(endpoint: EndpointName): readonly FormatOperation[] {
    return this.formatsOf(endpoint).includes('messages') && COUNTS_TOKENS.has(endpoint.provider)
      ? COUNT_TOKENS
      : NO_OPERATIONS;
  }

  override billsToTheEnd(endpoint: EndpointName): boolean {
    return vendorOf(endpoint)?.billsToTheEnd === true || BILLS_TO_THE_END.has(endpoint.provider);
  }

  override async send(call: WireCall): Promise<WireResponse> {
    if (!call.channel?.isOwnProvider) return this.messages!.send(call);
    const request = await withInlineMedia(call.request, NOTHING_FETCHED, this.references, call.signal);
    return this.messages!.send({ ...call, request });
  }

  override async converse(call: ConversationCall): Promise<ConversationResponse> {
    const vendor = vendorOf(call);
    if (!vendor) throw notFound(this.unreachableReason(call)!);
    const closing = new AbortController();
    const own = { ...call, signal: AbortSignal.any([call.signal, closing.signal]) };
    const messagesUsage = vendor.usageFormat === 'messages' ? new MessagesUsage(call) : undefined;
    const wrap = (fetch: typeof globalThis.fetch) =>
      messagesUsage ? messagesUsage.wrap(fetch) : boundedEventsOf(fetch, maxEventBytesOf(call));
    const { vendor: pack, provider } = await this.calls.open(own, { streams: call.streamed, wrap });
    return this.calls.run(call, async () => {
      const { upstreamModel: name } = call;
      const model = vendor.isChat ? provider.chat?.(name) : provider.languageModel?.(name);
      if (!model) throw notFound(`The package ${call.package} generates no text`);
      const supported = call.channel?.isOwnProvider ? NO_URL_PATTERNS : await model.supportedUrls;
      const reachable = await withReachableMedia(own, supported, this.references);
      const options = await sdkCallOptions(reachable, vendor, pack.optionsKey);
      if (!call.streamed) return wholeResponse(await model.doGenerate(options), vendor, messagesUsage);
      const { stream } = await model.doStream(options);
      return new SdkTextStream(stream, vendor, messagesUsage, {
        run: (work) => this.calls.run(call, work),
        close: () => closing.abort(new Error('the response is no longer read')),
      });
    });
  }
}

const vendorOf = ({ package: name = '' }: EndpointName): SdkTextVendor | undefined =>
  Object.hasOwn(SDK_TEXT_VENDORS, name) ? SDK_TEXT_VENDORS[name] : undefined;

function wholeResponse(
  result: Awaited<ReturnType<LanguageModelV4['doGenerate']>>,
  vendor: SdkTextVendor,
  messagesUsage: MessagesUsage | undefined,
): ConversationResponse {
  const deltas = new SdkDeltas(vendor.signatures);
  const { finishReason, usage, providerMetadata, response } = result;
  const steps = [
    ...deltas.ofContent(result.content),
    ...deltas.of({ type: 'finish', finishReason, usage, providerMetadata }),
  ];
  const reported = messagesUsage ? messagesUsage.reported : usageOf(usage, vendor);
  return {
    deltas: once(steps),
    usage: () => reported,
    usageFormat: vendor.usageFormat,
    upstreamId: () => response?.id,
  };
}

async function* once(steps: readonly Delta[]): AsyncGenerator<readonly Delta[], undefined> {
  yield steps;
  return undefined;
}

const usageOf = (usage: LanguageModelV4Usage, vendor: SdkTextVendor): unknown =>
  vendor.usageOf ? vendor.usageOf({ ...usage }) : usage;

interface CallControl {
  /** Runs a read; converts its errors to GatewayErrors. */
  run<T>(work: () => PromiseLike<T>): Promise<T>;
  /** Closes the connection to the vendor. */
  close(): void;
}

class SdkTextStream implements ConversationResponse {
  readonly deltas: AsyncIterator<readonly Delta[], undefined>;
  readonly usageFormat;
  readonly #reader: ReadableStreamDefaultReader<LanguageModelV4StreamPart>;
  readonly #steps: SdkDeltas;
  #upstreamId: string | undefined;
  #usage: unknown;
  #usageSoFar: Members | undefined;
  #finished = false;
  /** The pending read. It may have started during an earlier call of `#next`. */
  #read: ReturnType<ReadableStreamDefaultReader<LanguageModelV4StreamPart>['read']> | undefined;
  /**
   * A failure that occurred after parts of a batch had arrived. The next call throws it, so that the parts are
   * forwarded first.
   */
  #failure: Error | undefined;

  constructor(
    stream: ReadableStream<LanguageModelV4StreamPart>,
    private readonly vendor: SdkTextVendor,
    private readonly messagesUsage: MessagesUsage | undefined,
    private readonly control: CallControl,
  ) {
    this.#reader = stream.getReader();
    this.#steps = new SdkDeltas(vendor.signatures);
    this.usageFormat = vendor.usageFormat;
    this.deltas = { next: () => this.#next(), return: () => this.#return() };
  }

  usage(): unknown {
    return this.messagesUsage ? this.messagesUsage.reported : (this.#usage ?? this.#usageSoFar);
  }

  upstreamId(): string | undefined {
    return this.#upstreamId;
  }

  /**
   * Returns all parts that the package has ready in one turn of the event loop, so that one read from the vendor
   * becomes one write.
   */
  async #next(): Promise<Batch> {
    if (this.#failure) throw this.#failure;
    const batch: Delta[] = [];
    let turn: Promise<undefined> | undefined;
    try {
      for (let parts = 1; ; parts++) {
        this.#read ??= this.control.run(() => this.#reader.read());
        const step = await (turn ? Promise.race([this.#read, turn]) : this.#read);
        if (step === undefined) return { done: false, value: batch };
        this.#read = undefined;
        if (step.done) {
          if (!this.#finished) throw badResponse('ended without a finish reason');
          return batch.length > 0 ? { done: false, value: batch } : END;
        }
        batch.push(...(await this.#take(step.value)));
        // Without this pause, a package would process everything that it has received before other work can run.
        const isFull = parts % MAX_PARTS_PER_TURN === 0;
        if (isFull) await turnOfLoop();
        if (batch.length === 0) continue;
        if (isFull) return { done: false, value: batch };
        turn ??= turnOfLoop();
      }
    } catch (error) {
      if (this.#finished && batch.length === 0) return END;
      // Errors after the part `finish` are ignored.
      if (!this.#finished) {
        this.control.close();
        if (batch.length === 0) throw error;
        this.#failure = error as Error;
      }
      return { done: false, value: batch };
    }
  }

  async #take(part: LanguageModelV4StreamPart): Promise<readonly Delta[]> {
    if (this.#finished) return [];
    if (part.type === 'error') await this.control.run(() => Promise.reject(part.error as Error));
    if (part.type === 'raw') this.#usageSoFar = this.#usageOfChunk(part.rawValue);
    if (part.type === 'response-metadata') this.#upstreamId ??= part.id;
    if (part.type !== 'finish') return this.#steps.of(part);
    const steps = this.#steps.of(part);
    this.#usage = usageOf(part.usage, this.vendor);
    this.#finished = true;
    return steps;
  }

  #usageOfChunk(chunk: unknown): Members | undefined {
    return isObject(chunk) ? this.vendor.usageOfChunk?.(chunk, this.#usageSoFar) : this.#usageSoFar;
  }

  async #return(): Promise<Batch> {
    this.control.close();
    await this.#reader.cancel().catch(() => undefined);
    return END;
  }
}
