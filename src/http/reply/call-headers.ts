import { currentRequest } from '../../kernel/request-scope.js';

/** For the OpenAPI document: the headers of `callHeaders`. */
export const CALL_HEADERS = {
  'X-Gatehouse-Adjusted': {
    description:
      'The members that were changed for the model that served the call, as `name=value`, separated by `; ' +
      '`. Absent if nothing was changed.',
    schema: { type: 'string' },
  },
  'X-Gatehouse-Channel': {
    description:
      'The id of the credential that was used, and why it was chosen, as `<id>; reason=<reason>`. Only ' +
      "sent to keys of the operator's account, if the request has `X-OpenRouter-Metadata: enabled`.",
    schema: { type: 'string' },
  },
} as const;

/**
 * The headers for the response to the current request: the changes that were made to the request, and the credential
 * that served the call. A header without a value is absent.
 */
export function callHeaders(): Readonly<Record<string, string>> {
  const request = currentRequest();
  const headers: Record<string, string> = {};
  if (request?.adjusted?.length) headers['x-gatehouse-adjusted'] = request.adjusted.join('; ');
  if (request?.channel) headers['x-gatehouse-channel'] = `${request.channel.id}; reason=${request.channel.reason}`;
  return headers;
}
