import { Injectable } from '@nestjs/common';
import type { BilledResponse } from '../../inference/call.js';
import { RerankInference, type Ranking, type RerankDocument } from '../../inference/capabilities/rerank.js';
import type { InferenceContext } from '../../inference/task.js';
import type { RerankRequestBody } from './dto/rerank.request.dto.js';
import { toRerankRequest } from './rerank.wire.js';

/** Implements the operations of this API group, in the order of the specification. */
@Injectable()
export class RerankService {
  constructor(private readonly inference: RerankInference) {}

  /** The call is settled when the promise resolves. Returns the ranked documents too. */
  async rerank(
    body: RerankRequestBody,
    context: InferenceContext,
  ): Promise<{ readonly ranked: BilledResponse<Ranking>; readonly documents: readonly RerankDocument[] }> {
    const request = toRerankRequest(body);
    return { ranked: await this.inference.rerank(request, context), documents: request.documents };
  }
}
