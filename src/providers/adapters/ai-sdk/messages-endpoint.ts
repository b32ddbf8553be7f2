import type { WireCall } from '../../ports/text-adapter.port.js';
import type { WireResponse } from '../../../formats/vendor-text.js';
import type { VendorClient } from '../../wire/vendor-client.js';
import { VendorEventResponse } from '../../wire/vendor-event-response.js';
import type { ListCall } from '../../ports/endpoint-call.js';
import { listedModels } from '../../listed-models.js';
import { credentialHeader, vendorHeaders, type CredentialHeader } from '../../wire/vendor-request.js';
import { messagesHeaders } from '../../../formats/messages/headers.js';
import { messagesRequestBody } from '../../../formats/messages/forwarded-body.js';
import { pathOf } from '../../../formats/codecs.js';
import type { SdkCalls } from './sdk-calls.js';

const API_KEY = { header: 'x-api-key', prefix: '' };
/** By package: the header for an API key that is not sent as a bearer token. */
const KEY_HEADERS: Readonly<Record<string, CredentialHeader>> = {
  '@ai-sdk/anthropic': API_KEY,
  '@ai-sdk/google': { header: 'x-goog-api-key', prefix: '' },
};

/** Sends `/messages` requests as bytes, without the package, to vendors whose package uses this format. */
export class MessagesEndpoint {
  constructor(
    private readonly client: VendorClient,
    private readonly calls: SdkCalls,
  ) {}

  /** Call this only for vendors whose credential is an API key. */
  async listModels(call: ListCall): Promise<readonly string[]> {
    const { credential: secret, package: name = '' } = call;
    const headers = [...credentialHeader(secret, KEY_HEADERS[name]), ...messagesHeaders({})];
    return listedModels(this.client, call, { baseUrl: this.calls.addressOf(call), headers, secret });
  }

  async send(call: WireCall): Promise<WireResponse> {
    const { credential, request, signal, timeoutMs, channel } = call;
    const response = await this.client.post({
      baseUrl: this.calls.addressOf(call),
      path: pathOf(request),
      headers: [...vendorHeaders('application/json', credential, API_KEY), ...messagesHeaders(request)],
      body: messagesRequestBody(call),
      secret: credential,
      signal,
      timeoutMs,
      channel,
    });
    return new VendorEventResponse(response, credential, call);
  }
}
