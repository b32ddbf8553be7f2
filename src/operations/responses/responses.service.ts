import { Injectable } from '@nestjs/common';
import type { BilledStream } from '../../billing/spending.js';
import { mentionsFileIds } from '../../http/body/file-ids.js';
import type { BilledResponse } from '../../inference/call.js';
import { CompactionInference, ResponsesInference, type SentResponses } from '../../inference/capabilities/responses.js';
import type { InferenceContext } from '../../inference/task.js';
import type { ResponsesRequestBody } from './dto/responses.request.dto.js';
import { checkResponses } from './responses-checks.js';

/** A request as it arrived, with its declared members. */
export interface SentRequest extends SentResponses {
  readonly body: ResponsesRequestBody;
}

/** The use cases of the group, in the order in which the API lists them. */
@Injectable()
export class ResponsesService {
  constructor(
    private readonly inference: ResponsesInference,
    private readonly compactions: CompactionInference,
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

  /** The conversation made shorter by the vendor; settled when the promise resolves. */
  async compact(sent: SentRequest, context: InferenceContext): Promise<BilledResponse<string>> {
    const result = await this.compactions.complete(checked(sent), context);
    return result;
  }
}

function checked(sent: SentRequest): SentRequest {
  checkResponses(sent.body, sent.members);
  // Of two members with one name, a vendor may read the one that this service does not.
  return mentionsFileIds(sent.bytes) ? { ...sent, rewritten: ['input'] } : sent;
}
