import { currentRequest } from '../../kernel/request-scope.js';

/** For the OpenAPI document: the header with the credential that served the call. */
export const CHANNEL_HEADER = {
  'X-Gatehouse-Channel': {
    description:
      'The id of the credential that was used, and why it was chosen, as `<id>; reason=<reason>`. Only ' +
      "sent to keys of the operator's account, if the request has `X-OpenRouter-Metadata: enabled`.",
    schema: { type: 'string' },
  },
} as const;

const NONE: Readonly<Record<string, string>> = {};

/** The header for the response to the current request; empty if the caller did not request it. */
export function channelHeader(): Readonly<Record<string, string>> {
  const channel = currentRequest()?.channel;
  return channel === undefined ? NONE : { 'x-gatehouse-channel': `${channel.id}; reason=${channel.reason}` };
}
