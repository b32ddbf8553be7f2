import { GatewayError, invalidRequest } from '../../../kernel/errors/errors.js';
import type { EndpointCall } from '../../ports/endpoint-call.js';
import { faultOfMember } from '../../wire/error-member.js';
import { retryAfterOf } from '../../wire/retry-after.js';
import { faultOfResponse } from '../../wire/vendor-fault.js';
import { badResponse } from '../../../formats/bad-response.js';
import { redactedMessage } from '../../wire/vendor-message.js';

/** Limits the search through the causes of an error. */
const MAX_CAUSES = 5;
const MAX_CHARACTERS = 300;

/** Errors that packages throw before they send a request, because the vendor's format cannot express the request. */
const UNSUPPORTED = new Set([
  'AI_UnsupportedFunctionalityError',
  'AI_InvalidArgumentError',
  'AI_InvalidPromptError',
  'AI_TooManyEmbeddingValuesForCallError',
]);

/** Converts an error of a package. The message is forwarded only if the error concerns the request. */
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
      // An error in the middle of a stream has no body of its own.
      const body = Buffer.from(responseBody ?? JSON.stringify({ message }));
      return faultOfResponse(statusCode, body, call.credential, responseHeaders && retryAfterOf(responseHeaders));
    }
    if (UNSUPPORTED.has(name)) {
      const words = redactedMessage(message, call.credential).slice(0, MAX_CHARACTERS);
      return invalidRequest(`The provider of this model cannot take the request: ${words}`);
    }
    cause = cause.cause;
  }
  // The message may quote the vendor or a partial response, which the caller must not see.
  return new GatewayError('provider_failed', badResponse('could not be used').message, { cause: error });
}

/** Converts an error in the middle of a stream, which packages emit as a plain object with a status, or as a string. */
function faultOfEvent(error: unknown, { credential }: EndpointCall): GatewayError {
  const { statusCode, ...members } = { ...(error as { statusCode?: unknown } | undefined) };
  return faultOfMember(typeof error === 'string' ? error : { ...members, status: statusCode }, credential);
}
