import { Injectable } from '@nestjs/common';
import type { BilledResponse } from '../../inference/call.js';
import { EmbeddingInference, type EmbeddingResult } from '../../inference/capabilities/embeddings.js';
import type { InferenceContext } from '../../inference/task.js';
import type { EmbeddingsRequestBody } from './dto/embeddings.request.dto.js';

/** Implements the operations of this API group, in the order of the specification. */
@Injectable()
export class EmbeddingsService {
  constructor(private readonly inference: EmbeddingInference) {}

  /** The call is settled when the promise resolves. */
  async embed(body: EmbeddingsRequestBody, context: InferenceContext): Promise<BilledResponse<EmbeddingResult>> {
    const result = await this.inference.embed(body, context);
    return result;
  }
}
