import { Injectable } from '@nestjs/common';
import type { BilledStream } from '../../billing/spending.js';
import { SpeechInference } from '../../inference/capabilities/speech.js';
import type { InferenceContext } from '../../inference/task.js';
import type { SpeechRequestBody } from './dto/speech.request.dto.js';
import { toSpeechRequest } from './tts.wire.js';

/** Implements the operations of this API group, in the order of the specification. */
@Injectable()
export class TtsService {
  constructor(private readonly inference: SpeechInference) {}

  speak(body: SpeechRequestBody, context: InferenceContext): Promise<BilledStream> {
    return this.inference.speak(toSpeechRequest(body), context);
  }
}
