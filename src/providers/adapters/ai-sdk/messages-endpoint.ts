import type { WireCall, WireResponse } from '../../ports/text-adapter.port.js';
import type { VendorClient } from '../../wire/vendor-client.js';
import { VendorEventResponse } from '../../wire/vendor-event-response.js';
import { vendorHeaders } from '../../wire/vendor-request.js';
import { messagesHeaders } from '../../text-formats/messages/messages-headers.js';
import { messagesRequestBody } from '../../text-formats/messages/messages-request-body.js';
import { pathOf } from '../../text-formats/text-formats.js';
import type { SdkCalls } from './sdk-calls.js';

const API_KEY = { header: 'x-api-key', prefix: '' };

/** Sends requests of `/messages` as bytes to the vendors that a package reaches by that format. */
export class MessagesEndpoint {
  constructor(
    private readonly client: VendorClient,
    private readonly calls: SdkCalls,
  ) {}

  async send(call: WireCall): Promise<WireResponse> {
    const { credential, request, signal, timeoutMs } = call;
    const response = await this.client.post({
      baseUrl: this.calls.addressOf(call),
      path: pathOf(request),
      headers: [...vendorHeaders('application/json', API_KEY, credential), ...messagesHeaders(request)],
      body: messagesRequestBody(call),
      secret: credential,
      signal,
      timeoutMs,
    });
    return new VendorEventResponse(response, credential, call);
  }
}
