import { currentRequest } from '../../kernel/request-scope.js';

/** For the OpenAPI document: the header that lists the changes that were made to a request. */
export const ADJUSTED_HEADER = {
  'X-Gatehouse-Adjusted': {
    description:
      'The members that were changed for the model that served the call, as `name=value`, separated by `; ' +
      '`. Absent if nothing was changed.',
    schema: { type: 'string' },
  },
} as const;

const NONE: Readonly<Record<string, string>> = {};

/** The header for the response to the current request; empty if the request was not changed. */
export function adjustedHeader(): Readonly<Record<string, string>> {
  const adjusted = currentRequest()?.adjusted;
  return adjusted === undefined || adjusted.length === 0 ? NONE : { 'x-gatehouse-adjusted': adjusted.join('; ') };
}
