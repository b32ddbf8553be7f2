import type { ResponseHead } from '../client-format.js';
import { failureInStream, type StreamFailure } from '../stream-failure.js';
import type { Members } from '../members.js';
import { responseObject } from './response-object.js';
import { eventText } from './events.js';

/**
 * The end of a failed stream. Clients expect `response.created` as the first event, so a stream that has sent nothing
 * yet starts with it. `sequence`: the number of the next event.
 */
export function failedEvents(head: ResponseHead, request: Members, sequence: number, thrown: unknown): Buffer {
  const failure = failureInStream(thrown);
  const { message, errorType } = failure;
  const started = responseObject(head, request);
  const failed = { ...started, status: 'failed', error: { code: codeOf(failure), message }, error_type: errorType };
  const first = sequence === 0 ? eventText('response.created', 0, { response: started }) : '';
  return Buffer.from(first + eventText('response.failed', Math.max(1, sequence), { response: failed }));
}

/** One of the error codes that clients of this format support. */
function codeOf({ kind, errorType }: StreamFailure): string {
  if (kind === 'rate_limited' || kind === 'provider_overloaded') return 'rate_limit_exceeded';
  if (errorType === 'content_policy_violation') return 'image_content_policy_violation';
  return kind === 'invalid_request' ? 'invalid_prompt' : 'server_error';
}
