import { GatewayError, invalidRequest } from '../../../kernel/errors/errors.js';
import type { EndpointCall } from '../../ports/endpoint-call.js';
import { faultOfMember } from '../../wire/error-member.js';
import { retryAfterOf } from '../../wire/retry-after.js';
import { faultOfStatus } from '../../wire/vendor-fault.js';
import { badResponse } from '../../../formats/bad-response.js';
import { redactedMessage, vendorCode, vendorMessage } from '../../wire/vendor-message.js';

/** Bounds the search through the causes of an error. */
const MAX_CAUSES = 5;
const MAX_CHARACTERS = 300;

/** What packages throw before they send anything: the request holds what the vendor's format cannot carry. */
const UNSUPPORTED = new Set([
  'AI_UnsupportedFunctionalityError',
  'AI_InvalidArgumentError',
  'AI_InvalidPromptError',
  'AI_TooManyEmbeddingValuesForCallError',
]);

/** The failure that an error of a package is. Its words are passed on only where they are about the request. */
export function faultOf(error: unknown, call: EndpointCall): GatewayError {
  if (!(error instanceof Error)) return faultOfEvent(error, call);
  let cause: unknown = error;
  for (let depth = 0; cause instanceof Error && depth < MAX_CAUSES; depth++) {
    if (cause instanceof GatewayError) return cause;
    const { statusCode, responseBody, responseHeaders, message, name } = cause as Error & {
      statusCode?: number;
      responseBody?: string;
      responseHeaders?: Record<string, string>;
    };
    if (statusCode !== undefined && statusCode >= 300) {
      // An error in mid-stream has no body of its own.
      const body = Buffer.from(responseBody ?? JSON.stringify({ message }));
      const { credential } = call;
      const retryAfter = responseHeaders && retryAfterOf(responseHeaders);
      return faultOfStatus(statusCode, vendorMessage(body, credential), retryAfter, vendorCode(body, credential));
    }
    if (UNSUPPORTED.has(name)) {
      const words = redactedMessage(message, call.credential).slice(0, MAX_CHARACTERS);
      return invalidRequest(`The provider of this model cannot take the request: ${words}`);
    }
    cause = cause.cause;
  }
  // It may quote the vendor, or a response that was read in part: the caller must not see it.
  return new GatewayError('provider_failed', badResponse('could not be used').message, { cause: error });
}

/** The failure that an error in the middle of a stream is: packages make a plain object of it, with its status. */
function faultOfEvent(error: unknown, { credential }: EndpointCall): GatewayError {
  const { statusCode, ...members } = { ...(error as { statusCode?: unknown } | undefined) };
  return faultOfMember(typeof error === 'string' ? error : { ...members, status: statusCode }, credential);
}
