import { Injectable } from '@nestjs/common';
import type { InferenceContext } from '../../inference/inference-context.js';
import { SpeechInference, type SpokenStream } from '../../inference/speech-inference.js';
import type { SpeechRequestBody } from './dto/speech.request.dto.js';
import { toSpeechRequest } from './tts.wire.js';

/** The use cases of the group, in the order in which the API lists them. */
@Injectable()
export class TtsService {
  constructor(private readonly inference: SpeechInference) {}

  speak(body: SpeechRequestBody, context: InferenceContext): Promise<SpokenStream> {
    return this.inference.speak(toSpeechRequest(body), context);
  }
}
