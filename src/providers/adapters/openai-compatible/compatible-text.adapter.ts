import type { EndpointName, ListCall } from '../../ports/endpoint-call.js';
import type { ReferenceSource } from '../../ports/reference-source.port.js';
import { TextAdapter, type ConversationCall, type WireCall } from '../../ports/text-adapter.port.js';
import type {
  ConversationResponse,
  FormatOperation,
  VendorFormat,
  WireResponse,
} from '../../../formats/vendor-text.js';
import { VendorEventResponse } from '../../wire/vendor-event-response.js';
import { convertedResponse } from '../../../formats/converted-response.js';
import { messagesHeaders } from '../../../formats/messages/headers.js';
import { messagesRequestBody } from '../../../formats/messages/forwarded-body.js';
import { pathOf, TEXT_CODECS } from '../../../formats/codecs.js';
import { chatRequestBody } from './chat-request-body.js';
import type { CompatibleEndpoint, CompatibleRequest } from './compatible-endpoint.js';
import { withInlineMedia } from '../inline-media.js';
import { responsesRequestBody } from './responses-request-body.js';
import type { CompatibleVendor, TextTraits } from './compatible-vendor.js';
import { COMPLETION_VENDORS } from './vendor-rows/completion-rows.js';

const CHAT_ONLY: readonly VendorFormat[] = ['chat'];
const RESPONSES_ONLY: readonly VendorFormat[] = ['responses'];
const COMPACT: readonly FormatOperation[] = ['compact'];
const NO_OPERATIONS: readonly FormatOperation[] = [];
const UNKNOWN = 'unknown';

/** The body and headers of a request, by its format. */
const REQUESTS: Readonly<
  Record<VendorFormat, (call: WireCall, traits?: TextTraits) => Pick<CompatibleRequest, 'body' | 'headers'>>
> = {
  chat: (call, traits) => ({ body: chatRequestBody(call, traits) }),
  responses: (call, traits) => ({ body: responsesRequestBody(call, traits) }),
  messages: (call) => ({ body: messagesRequestBody(call), headers: messagesHeaders(call.request) }),
};

/** Text from any OpenAI-compatible vendor, in each of the formats that the row of the vendor names. */
export class CompatibleTextAdapter extends TextAdapter {
  readonly name: string = 'openai-compatible';

  /**
   * `references` fetches pictures and documents for vendors that do not fetch URLs. If absent, URLs for these vendors
   * are refused.
   */
  constructor(
    private readonly endpoint: CompatibleEndpoint,
    private readonly references?: ReferenceSource,
  ) {
    super(endpoint);
  }

  override listModels(call: ListCall): Promise<readonly string[]> {
    return this.endpoint.listModels(call);
  }

  formatsOf(endpoint: EndpointName): readonly VendorFormat[] {
    const vendor = this.endpoint.vendorOf(endpoint);
    const { formats = CHAT_ONLY, responses, messages } = vendor.text ?? {};
    if (endpoint.upstreamModel !== undefined && responses?.only?.test(endpoint.upstreamModel)) return RESPONSES_ONLY;
    const hasMessages = !messages || this.endpoint.baseUrlOfVendor(vendor).endsWith(messages.ending);
    return hasMessages ? formats : formats.filter((format) => format !== 'messages');
  }

  override operationsOf(endpoint: EndpointName): readonly FormatOperation[] {
    return this.endpoint.vendorOf(endpoint).text?.responses?.hasCompact ? COMPACT : NO_OPERATIONS;
  }

  override hasNamespaces(endpoint: EndpointName): boolean {
    return this.endpoint.vendorOf(endpoint).text?.responses?.hasNamespaces === true;
  }

  billsToTheEnd(endpoint: EndpointName): boolean {
    return this.endpoint.vendorOf(endpoint).text?.billsToTheEnd === true;
  }

  override completes({ provider }: EndpointName): boolean {
    return COMPLETION_VENDORS.has(provider);
  }

  override async complete(call: WireCall): Promise<WireResponse> {
    const vendor = this.endpoint.vendorOf(call);
    const body = chatRequestBody(call, COMPLETION_VENDORS.get(vendor.slug));
    const response = await this.endpoint.send(call, vendor, { path: '/completions', body });
    return new VendorEventResponse(response, this.endpoint.open(call, vendor).key, call);
  }

  override async send(call: WireCall): Promise<WireResponse> {
    const vendor = this.endpoint.vendorOf(call);
    const { name: format } = call.request.format;
    const request = withInlineMedia(call.request, vendor.text?.fetched, this.references, call.signal);
    const reachable = request instanceof Promise ? await request : request;
    const response = await this.endpoint.send(call, vendor, {
      path: pathOf(call.request),
      ...REQUESTS[format](reachable === call.request ? call : { ...call, request: reachable }, vendor.text),
      ...(format === 'messages' ? { baseUrlOf: (baseUrl: string) => messagesBaseUrl(baseUrl, vendor) } : {}),
    });
    return new VendorEventResponse(response, this.endpoint.open(call, vendor).key, call);
  }

  /** Uses the chat format if the vendor has it, because vendors support that format best. */
  override async converse(call: ConversationCall): Promise<ConversationResponse> {
    const { conversation, ...rest } = call;
    const format = this.formatsOf(call).includes('chat') ? 'chat' : 'responses';
    const codec = TEXT_CODECS[format];
    const { reasoningFormat = UNKNOWN } = this.endpoint.vendorOf(call).text?.responses ?? {};
    const members = codec.write(conversation, reasoningFormat);
    const response = await this.send({
      ...rest,
      request: { format: { name: format }, members, bytes: Buffer.from(JSON.stringify(members)) },
    });
    const { n: choices = 1 } = conversation.settings;
    const reader = codec.reader({ choices, reasoningFormat, failure: (error) => response.failure(error) });
    return convertedResponse(response, reader, format);
  }
}

/** The base URL has the expected ending, because otherwise `formatsOf` does not return the format `messages`. */
function messagesBaseUrl(baseUrl: string, { text }: CompatibleVendor): string {
  const { ending, becomes } = text?.messages ?? { ending: '', becomes: '' };
  return baseUrl.slice(0, baseUrl.length - ending.length) + becomes;
}

/** For servers that are known to have only `/responses`. */
export class ResponsesTextAdapter extends CompatibleTextAdapter {
  override readonly name = 'openai-responses';

  override formatsOf(): readonly VendorFormat[] {
    return RESPONSES_ONLY;
  }
}
