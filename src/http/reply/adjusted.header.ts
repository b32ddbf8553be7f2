import { currentRequest } from '../../kernel/request-scope.js';

/** For the OpenAPI document: the header that says what a request was changed in. */
export const ADJUSTED_HEADER = {
  'X-Gatehouse-Adjusted': {
    description:
      'What the request was changed in for the model that served, as `name=value`, separated by `; `. ' +
      'Absent where it was sent as it is.',
    schema: { type: 'string' },
  },
} as const;

const NONE: Readonly<Record<string, string>> = {};

/** The header for the response to the current request; empty where nothing was changed. */
export function adjustedHeader(): Readonly<Record<string, string>> {
  const adjusted = currentRequest()?.adjusted;
  return adjusted === undefined || adjusted.length === 0 ? NONE : { 'x-gatehouse-adjusted': adjusted.join('; ') };
}
