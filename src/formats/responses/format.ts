import type { Delta } from '../conversation.js';
import type { ClientFormat, CompleteBody } from '../client-format.js';
import { failedEvents } from './failed-response.js';
import { completeResponse } from './complete.js';
import { textsOfResponses } from './measure.js';
import { ResponsesRelay } from './relay.js';
import { readResponsesRequest } from './read-request.js';
import { ResponsesStreamWriter } from './write-stream.js';
import { responsesUsage } from './usage.js';

/** Gathers the steps of a response: the items are those of a stream. */
class ResponsesWriter extends ResponsesStreamWriter implements CompleteBody {
  add(deltas: readonly Delta[]): void {
    this.write(deltas);
  }

  body(usage: object): string {
    return JSON.stringify(this.response(usage));
  }
}

const NO_MEMBERS = {};

/** The format of `/responses`. */
export const RESPONSES_FORMAT: ClientFormat = {
  name: 'responses',
  boundMember: 'max_output_tokens',
  textsOf: textsOfResponses,
  readConversation: readResponsesRequest,
  relay: (head, { excludeReasoning, request = NO_MEMBERS, toolNames }, failure) =>
    new ResponsesRelay({ head, request, excludesReasoning: excludeReasoning, toolNames, failure }),
  streamWriter: (head, options) => new ResponsesStreamWriter(head, options),
  complete: (body, head, { excludeReasoning, request = NO_MEMBERS, toolNames }, failure) =>
    completeResponse(body, { head, request, excludesReasoning: excludeReasoning, toolNames, failure }),
  completionWriter: (head, options) => new ResponsesWriter(head, options),
  usage: responsesUsage,
  failing: (head, error) => failedEvents(head, NO_MEMBERS, 0, error),
};
