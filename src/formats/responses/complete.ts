import { badResponse } from '../bad-response.js';
import type { CompleteBody, WireReport } from '../client-format.js';
import { textOf } from '../members.js';
import { printed, responseMembers } from '../response-members.js';
import { textsOfItem } from './items/output-items.js';
import { endedResponse, endOf, outputOf, usageOfResponse } from './response-object.js';
import type { ResponsesRelayTerms } from './relay.js';

/** A vendor's complete response. Throws provider_failed for an invalid body. Throws the failure for an error in it. */
export function completeResponse(body: Buffer, terms: ResponsesRelayTerms): CompleteBody & WireReport {
  const { head, failure } = terms;
  const response = responseMembers(body, JSON.parse);
  const { error } = response;
  if (error !== undefined && error !== null) throw failure(error);
  const end = endOf(response);
  if (!end) throw failure(response);
  if (!Array.isArray(response['output'])) throw badResponse('holds no output');
  const texts = outputOf(response).flatMap(textsOfItem);
  // Serialised before anything is billed: a response that is nested too deeply counts as failed.
  const text = printed(endedResponse(response, head, terms));
  return {
    usage: usageOfResponse(response),
    upstreamId: textOf(response['id']) || undefined,
    serviceTier: textOf(response['service_tier']),
    finishReason: end.reason,
    nativeFinishReason: end.native,
    finished: true,
    sawOutput: texts.length > 0 || outputOf(response).some(({ type }) => type !== 'message'),
    text: () => texts,
    body: (usage) => `${text.slice(0, -1)},"usage":${JSON.stringify(usage)}}`,
  };
}
