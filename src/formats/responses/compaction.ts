import { GatewayError } from '../../kernel/errors/errors.js';
import { textOf, type Members } from '../members.js';
import type { ClientFormat, CompleteBody, WireReport } from '../client-format.js';
import { textsOfItem } from './items/output-items.js';
import { outputOf, reportedUsage } from './response-object.js';
import { parsed, printed } from './complete.js';
import type { TextMeasure } from '../measure.js';

import { RESPONSES_FORMAT, type ResponsesBody } from './format.js';
import { measureResponses } from './measure.js';
import type { ResponsesRelayTerms } from './relay.js';

/** A conversation that a vendor has made shorter: as it came, but for its id and its usage. */
function completeCompaction(
  body: Buffer,
  { head, failure }: Pick<ResponsesRelayTerms, 'head' | 'failure'>,
): CompleteBody & WireReport {
  const { usage: reported, ...compaction } = parsed(body);
  const { error } = compaction;
  if (error !== undefined && error !== null) throw failure(error);
  if (!Array.isArray(compaction['output']))
    throw new GatewayError('provider_failed', "The provider's response holds no output");
  const texts = outputOf(compaction).flatMap(textsOfItem);
  // Printed before anything is billed: a response that is nested too deeply has failed.
  const text = printed({ ...compaction, id: head.id });
  return {
    usage: reportedUsage({ ...compaction, usage: reported }),
    upstreamId: textOf(compaction['id']) || undefined,
    serviceTier: textOf(compaction['service_tier']),
    finishReason: 'stop',
    nativeFinishReason: 'completed',
    finished: true,
    sawOutput: outputOf(compaction).length > 0,
    text: () => texts,
    body: (usage) => `${text.slice(0, -1)},"usage":${JSON.stringify(usage)}}`,
  };
}

/** The operation has no bound of output tokens: vendors do not get it. */
const measureCompaction = (members: Members): TextMeasure =>
  measureResponses({ ...members, max_output_tokens: undefined });

/** The format of `/responses/compact`: it is never streamed, nor converted. */
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
