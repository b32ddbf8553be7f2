import { Injectable } from '@nestjs/common';
import type { FormFile } from '../../http/body/held-form.js';
import type { BilledResponse } from '../../inference/call.js';
import { TranscriptionInference, type Transcript } from '../../inference/capabilities/transcription.js';
import { parseTextPreferences } from '../../inference/provider-preferences.js';
import type { InferenceContext } from '../../inference/task.js';
import { invalidRequest } from '../../kernel/errors/errors.js';
import type { TranscriptionRequestBody } from './dto/transcription.request.dto.js';
import { readRecording } from './recording.js';

@Injectable()
export class TranscriptionsService {
  constructor(private readonly inference: TranscriptionInference) {}

  /** The call is settled when the promise resolves. `files`: the files of a form; undefined if the body is JSON. */
  async transcribe(
    body: TranscriptionRequestBody,
    files: readonly FormFile[] | undefined,
    context: InferenceContext,
  ): Promise<BilledResponse<Transcript>> {
    const granularities = body.timestamp_granularities ?? [];
    const isVerbose = body.response_format === 'verbose_json';
    if (granularities.length > 0 && !isVerbose)
      throw invalidRequest('timestamp_granularities requires response_format verbose_json');
    if (body.stream) throw invalidRequest('stream is not available here: leave it out');
    const preferences = parseTextPreferences(body.provider ?? undefined);
    const recording = await readRecording(body.input_audio, files);
    return this.inference.transcribe(
      {
        model: body.model,
        recording,
        language: body.language ?? undefined,
        temperature: body.temperature ?? undefined,
        isVerbose,
        granularities: [...new Set(granularities)],
        preferences,
      },
      context,
    );
  }
}
