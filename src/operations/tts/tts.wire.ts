import { parsePreferences } from '../../inference/provider-preferences.js';
import type { SpeechRequest } from '../../inference/speech-request.js';
import { toGenerationId } from '../../kernel/ids.js';
import type { SpeechRequestBody } from './dto/speech.request.dto.js';

const CONTENT_TYPE: Record<SpeechRequest['format'], string> = { mp3: 'audio/mpeg', pcm: 'audio/pcm' };

/** What the head of an answer says. */
export function toSpeechHeaders(request: SpeechRequestBody, generationId: string): Record<string, string> {
  return { 'content-type': CONTENT_TYPE[formatOf(request)], 'x-generation-id': toGenerationId(generationId) };
}

const formatOf = (request: SpeechRequestBody): SpeechRequest['format'] => request.response_format ?? 'pcm';

export function toSpeechRequest(request: SpeechRequestBody): SpeechRequest {
  return {
    model: request.model,
    input: request.input,
    voice: request.voice,
    format: formatOf(request),
    speed: request.speed,
    preferences: parsePreferences(request.provider),
  };
}
