import { EVENT_HEADERS } from '../../http/reply/event-outlet.js';
import type { SpeechEventWriter, SpeechRequest } from '../../inference/capabilities/speech.js';
import { parsePreferences } from '../../inference/provider-preferences.js';
import { toGenerationId } from '../../kernel/ids.js';
import { nanoToUsd } from '../../kernel/money.js';
import type { SpeechRequestBody } from './dto/speech.request.dto.js';

const CONTENT_TYPE: Record<SpeechRequest['format'], string> = { mp3: 'audio/mpeg', pcm: 'audio/pcm' };

/** The headers of a response. */
export function toSpeechHeaders(request: SpeechRequestBody, generationId: string): Record<string, string> {
  const id = { 'x-generation-id': toGenerationId(generationId) };
  return request.stream_format === 'sse'
    ? { ...EVENT_HEADERS, ...id }
    : { 'content-type': CONTENT_TYPE[formatOf(request)], ...id };
}

const event = (json: string): Buffer => Buffer.from(`data: ${json}\n\n`, 'latin1');

/** The events of OpenAI's speech streams. Each delta is a separate base64 text. */
const SPEECH_EVENTS: SpeechEventWriter = {
  audio: ({ buffer, byteOffset, byteLength }) =>
    event(`{"type":"speech.audio.delta","audio":"${Buffer.from(buffer, byteOffset, byteLength).toString('base64')}"}`),
  done: ({ tokens: { prompt, completion }, cost }) => {
    const usage = { input_tokens: prompt, output_tokens: completion, total_tokens: prompt + completion };
    return event(JSON.stringify({ type: 'speech.audio.done', usage: { ...usage, cost: nanoToUsd(cost) } }));
  },
};

const formatOf = (request: SpeechRequestBody): SpeechRequest['format'] => request.response_format ?? 'pcm';

export function toSpeechRequest(request: SpeechRequestBody): SpeechRequest {
  return {
    model: request.model,
    input: request.input,
    voice: request.voice,
    format: formatOf(request),
    speed: request.speed,
    preferences: parsePreferences(request.provider),
    events: request.stream_format === 'sse' ? SPEECH_EVENTS : undefined,
  };
}
