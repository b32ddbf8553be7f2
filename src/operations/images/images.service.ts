import { Injectable } from '@nestjs/common';
import { ImageInference, type ImageResult, type PreviewSink } from '../../inference/image-inference.js';
import type { InferenceContext } from '../../inference/inference-context.js';
import type { ImageGenerationRequest } from './dto/image-generation.request.dto.js';
import { toImageRequest } from './images.wire.js';

/** The use cases of the group, in the order in which the API lists them. */
@Injectable()
export class ImagesService {
  constructor(private readonly inference: ImageInference) {}

  async generate(request: ImageGenerationRequest, context: InferenceContext, sink?: PreviewSink): Promise<ImageResult> {
    return this.inference.generate(toImageRequest(request), context, sink);
  }
}
