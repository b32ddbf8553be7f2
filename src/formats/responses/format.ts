import type { ClientFormat, OwnMembers, TextRequest } from '../client-format.js';
import { failedEvents } from './failed-response.js';
import { completeResponse } from './complete.js';
import { readReasoningSettings } from '../chat/read-reasoning.js';
import { textOf } from '../members.js';
import { requestedTier } from '../service-tier.js';
import { textRequest } from '../text-request.js';
import type { SentBody } from '../vendor-text.js';
import { measureResponses, textsOfResponses } from './measure.js';
import { modalitiesOf, parametersOf } from './parameters.js';
import { withoutCarriedItems } from './reasoning-content.js';
import { ResponsesRelay } from './relay.js';
import { conversionRefusal, readResponsesRequest } from './read-request.js';
import { ResponsesWriter } from './write-stream.js';
import { responsesUsage } from './usage.js';

const NO_MEMBERS = {};

/** The members of a request of `/responses` that the gateway reads, validated. */
export interface ResponsesBody extends OwnMembers {
  readonly input: string | readonly object[];
  readonly prompt_cache_key?: string | null;
}

function read(body: ResponsesBody, sent: SentBody): TextRequest {
  const { members } = sent;
  const { input } = body;
  const kept = typeof input === 'string' ? input : withoutCarriedItems(input);
  return textRequest(RESPONSES_FORMAT, body, sent, {
    measure: measureResponses(members),
    measureOf: measureResponses,
    parameters: () => parametersOf(members),
    modalities: typeof input === 'string' ? [] : modalitiesOf(input),
    excludesReasoning: readReasoningSettings(members)?.exclude ?? false,
    serviceTier: requestedTier(members['service_tier']),
    user: body.user ?? textOf(members['safety_identifier']),
    session: body.prompt_cache_key,
    conversionRefusal,
    replaced: kept === input ? undefined : { input: kept },
  });
}

/** The format of `/responses`. */
export const RESPONSES_FORMAT: ClientFormat<ResponsesBody> = {
  name: 'responses',
  boundMember: 'max_output_tokens',
  read,
  textsOf: textsOfResponses,
  readConversation: readResponsesRequest,
  relay: (head, { request = NO_MEMBERS, ...options }, failure) =>
    new ResponsesRelay({ ...options, head, request, failure }),
  streamWriter: (head, options) => new ResponsesWriter(head, options),
  complete: (body, head, { request = NO_MEMBERS, ...options }, failure) =>
    completeResponse(body, { ...options, head, request, failure }),
  completionWriter: (head, options) => new ResponsesWriter(head, options),
  usage: responsesUsage,
  failing: (head, error) => failedEvents(head, NO_MEMBERS, 0, error),
};
