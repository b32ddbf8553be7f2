import type { WireCall } from '../../ports/text-adapter.port.js';
import type { WireResponse } from '../../../formats/vendor-text.js';
import type { VendorClient } from '../../wire/vendor-client.js';
import { VendorEventResponse } from '../../wire/vendor-event-response.js';
import { vendorHeaders } from '../../wire/vendor-request.js';
import { messagesHeaders } from '../../../formats/messages/headers.js';
import { messagesRequestBody } from '../../../formats/messages/forwarded-body.js';
import { pathOf } from '../../../formats/codecs.js';
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
