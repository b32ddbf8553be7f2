import { parsePreferences } from '../../inference/provider-preferences.js';
import type { SpeechRequest } from '../../inference/speech-request.js';
import type { SpeechRequestBody } from './dto/speech.request.dto.js';

export const CONTENT_TYPE: Record<SpeechRequest['format'], string> = { mp3: 'audio/mpeg', pcm: 'audio/pcm' };

export function toSpeechRequest(request: SpeechRequestBody): SpeechRequest {
  return {
    model: request.model,
    input: request.input,
    voice: request.voice,
    format: request.response_format ?? 'pcm',
    speed: request.speed,
    preferences: parsePreferences(request.provider),
  };
}
