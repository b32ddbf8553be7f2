import { badResponse } from '../bad-response.js';
import type { CompleteBody, WireReport } from '../client-format.js';
import { isSet, textOf, type Members } from '../members.js';
import { printed, responseMembers } from '../response-members.js';
import { textsOfItem } from './items/output-items.js';
import { endedResponse, endOf, outputOf, usageOfResponse } from './response-object.js';
import type { ResponsesRelayTerms } from './relay.js';

/**
 * A vendor's complete response. Throws provider_failed for an invalid body. If the body contains an error, or if the
 * response failed or has not ended, throws the failure for that.
 */
export function completeResponse(body: Buffer, terms: ResponsesRelayTerms): CompleteBody & WireReport {
  const { head, failure } = terms;
  const response = responseMembers(body, JSON.parse);
  const { error } = response;
  if (isSet(error)) throw failure(error);
  const end = endOf(response);
  if (!end) throw failure(response);
  if (!Array.isArray(response['output'])) throw badResponse('holds no output');
  // Serialised before anything is billed, because a response that is nested too deeply counts as failed.
  const text = printed(endedResponse(response, head, terms));
  const report = reportOfBody(response, text);
  return {
    ...report,
    finishReason: end.reason,
    nativeFinishReason: end.native,
    sawOutput: report.text().length > 0 || outputOf(response).some(({ type }) => type !== 'message'),
  };
}

/** `text`: the response as JSON, without its usage. */
export function reportOfBody(
  response: Members,
  text: string,
): WireReport & Pick<CompleteBody, 'finished' | 'text' | 'body'> {
  const texts = outputOf(response).flatMap(textsOfItem);
  return {
    usage: usageOfResponse(response),
    upstreamId: textOf(response['id']) || undefined,
    serviceTier: textOf(response['service_tier']),
    finished: true,
    text: () => texts,
    body: (usage) => `${text.slice(0, -1)},"usage":${JSON.stringify(usage)}}`,
  };
}
