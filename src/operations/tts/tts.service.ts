import { Injectable } from '@nestjs/common';
import type { InferenceContext } from '../../inference/inference-context.js';
import { SpeechInference, type SpokenStream } from '../../inference/speech-inference.js';
import { toGenerationId } from '../../kernel/ids.js';
import type { SpeechRequestBody } from './dto/speech.request.dto.js';
import { CONTENT_TYPE, toSpeechRequest } from './tts.wire.js';

/** Audio as it comes, with what its head says. */
export interface SpokenAnswer {
  readonly contentType: string;
  readonly generationId: string;
  readonly deliver: SpokenStream['deliver'];
}

/** The use cases of the group, in the order in which the API lists them. */
@Injectable()
export class TtsService {
  constructor(private readonly inference: SpeechInference) {}

  async speak(body: SpeechRequestBody, context: InferenceContext): Promise<SpokenAnswer> {
    const request = toSpeechRequest(body);
    const stream = await this.inference.speak(request, context);
    return { contentType: CONTENT_TYPE[request.format], generationId: toGenerationId(stream.generationId), deliver: (outlet) => stream.deliver(outlet) };
  }
}
