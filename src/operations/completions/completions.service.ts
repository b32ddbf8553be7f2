import { Injectable } from '@nestjs/common';
import type { BilledStream } from '../../billing/spending.js';
import type { BilledResponse } from '../../inference/call.js';
import { CompletionInference, type SentCompletion } from '../../inference/capabilities/completions.js';
import type { InferenceContext } from '../../inference/task.js';
import { checkCompletion } from './completion-checks.js';
import type { CompletionRequestBody } from './dto/completion.request.dto.js';

type Sent = SentCompletion & { readonly body: CompletionRequestBody };

/** The operations of the group, in the order of the API. */
@Injectable()
export class CompletionsService {
  constructor(private readonly inference: CompletionInference) {}

  /** A complete response; settled when the promise resolves. */
  async complete(sent: Sent, context: InferenceContext): Promise<BilledResponse<string>> {
    checkCompletion(sent.body, sent.members);
    return this.inference.complete(sent, context);
  }

  /** A stream that has begun; its delivery settles it. */
  async stream(sent: Sent, context: InferenceContext): Promise<BilledStream> {
    checkCompletion(sent.body, sent.members);
    return this.inference.stream(sent, context);
  }
}
