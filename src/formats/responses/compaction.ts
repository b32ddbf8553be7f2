import { badResponse } from '../bad-response.js';
import { isSet, type Members } from '../members.js';
import type { ClientFormat, CompleteBody, WireReport } from '../client-format.js';
import { reportOfBody } from './complete.js';
import { outputOf } from './response-object.js';
import { printed, responseMembers } from '../response-members.js';
import type { TextMeasure } from '../measure.js';
import { RESPONSES_FORMAT, type ResponsesBody } from './format.js';
import { measureResponses } from './measure.js';
import type { ResponsesRelayTerms } from './relay.js';

/** Reads a vendor's compacted conversation. The body is returned unchanged except for `id` and `usage`. */
function completeCompaction(
  body: Buffer,
  { head, failure }: Pick<ResponsesRelayTerms, 'head' | 'failure'>,
): CompleteBody & WireReport {
  const response = responseMembers(body, JSON.parse);
  const { usage: _usage, ...compaction } = response;
  const { error, output } = compaction;
  if (isSet(error)) throw failure(error);
  if (!Array.isArray(output)) throw badResponse('holds no output');
  // Serialised before anything is billed, because a response that is nested too deeply counts as failed.
  const text = printed({ ...compaction, id: head.id });
  return {
    ...reportOfBody(response, text),
    finishReason: 'stop',
    nativeFinishReason: 'completed',
    sawOutput: outputOf(compaction).length > 0,
  };
}

/** Ignores `max_output_tokens`, because the operation has no such member, and vendors do not receive it. */
const measureCompaction = (members: Members): TextMeasure =>
  measureResponses({ ...members, max_output_tokens: undefined });

/** The format of `/responses/compact`. It is neither streamed nor converted. */
export const COMPACTION_FORMAT: ClientFormat<ResponsesBody> = {
  ...RESPONSES_FORMAT,
  read: (body, sent) => ({
    ...RESPONSES_FORMAT.read(body, sent),
    format: COMPACTION_FORMAT,
    measure: measureCompaction(sent.members),
    measureOf: measureCompaction,
    operation: 'compact',
  }),
  complete: (body, head, _, failure) => completeCompaction(body, { head, failure }),
};
