import { Injectable } from '@nestjs/common';
import type { BilledStream } from '../../billing/spending.js';
import { mentionsFileIds } from '../../http/body/file-ids.js';
import type { BilledResponse } from '../../inference/call.js';
import { MessagesInference, type SentMessages } from '../../inference/capabilities/messages.js';
import { type CountedInput, TokenCounts } from '../../inference/capabilities/token-counts.js';
import type { InferenceContext } from '../../inference/task.js';
import type { CountTokensRequestBody } from './dto/count-tokens.request.dto.js';
import type { MessagesRequestBody } from './dto/messages.request.dto.js';
import { checkMessages } from './messages-checks.js';

/** A request as it arrived, with its declared members. */
export interface SentRequest extends SentMessages {
  readonly body: MessagesRequestBody;
}

/** A request whose tokens are counted. */
export interface SentCount extends SentMessages {
  readonly body: CountTokensRequestBody;
}

/** The operations of the group, in the order of the API. */
@Injectable()
export class MessagesService {
  constructor(
    private readonly inference: MessagesInference,
    private readonly counts: TokenCounts,
  ) {}

  /** A complete response; settled when the promise resolves. */
  async complete(sent: SentRequest, context: InferenceContext): Promise<BilledResponse<string>> {
    const result = await this.inference.complete(checked(sent), context);
    return result;
  }

  /** A stream that has begun; its delivery settles it. */
  async stream(sent: SentRequest, context: InferenceContext): Promise<BilledStream> {
    const stream = await this.inference.stream(checked(sent), context);
    return stream;
  }

  /** The input tokens of a request that is not sent. */
  countTokens(sent: SentCount, context: InferenceContext): Promise<CountedInput> {
    return this.counts.ofMessages(checked(sent), context);
  }
}

/** With the models of `fallbacks`, which is another name of `models`. */
function checked<Sent extends SentRequest | SentCount>(sent: Sent): Sent {
  checkMessages(sent.body, sent.members);
  const { fallbacks, messages } = sent.body as Partial<MessagesRequestBody>;
  const body = fallbacks ? { ...sent.body, models: fallbacks.map(({ model }) => model) } : sent.body;
  // Of two members with one name, a vendor may read the one that this service does not.
  if (mentionsFileIds(sent.bytes))
    return { ...sent, body, members: { ...sent.members, messages }, rewritten: ['messages'] };
  return fallbacks ? { ...sent, body } : sent;
}
