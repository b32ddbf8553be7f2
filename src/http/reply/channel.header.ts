import { currentRequest } from '../../kernel/request-scope.js';

/** For the OpenAPI document: the header that says which credential served. */
export const CHANNEL_HEADER = {
  'X-Gatehouse-Channel': {
    description:
      'The id of the credential that served, and why it was chosen, as `<id>; reason=<reason>`. Sent where the ' +
      "request has `X-OpenRouter-Metadata: enabled`, to keys of the operator's account only.",
    schema: { type: 'string' },
  },
} as const;

const NONE: Readonly<Record<string, string>> = {};

/** The header for the response to the current request; empty where it is not wanted. */
export function channelHeader(): Readonly<Record<string, string>> {
  const channel = currentRequest()?.channel;
  return channel === undefined ? NONE : { 'x-gatehouse-channel': `${channel.id}; reason=${channel.reason}` };
}
