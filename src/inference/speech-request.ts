import type { CatalogueEndpoint } from '../catalogue/catalogue-model.js';
import type { SpeechFormat } from '../providers/spec/speech-adapter.port.js';
import type { ProviderPreferences } from './inference-context.js';

export interface SpeechRequest {
  readonly model: string;
  readonly input: string;
  readonly voice: string;
  readonly format: SpeechFormat;
  readonly speed?: number;
  readonly preferences: ProviderPreferences;
}

/** Why an endpoint cannot take a request, by its data and never by its name; undefined where it can. */
export function speechMisfit(
  request: SpeechRequest,
  characters: number,
  endpoint: CatalogueEndpoint,
): string | undefined {
  const { model, voice, format, speed } = request;
  const most = endpoint.maxInputCharacters;
  if (most !== undefined && characters > most)
    return `input is ${characters} characters long: ${model} takes at most ${most}`;
  if (endpoint.voices && !endpoint.voices.includes(voice))
    return `voice "${voice.slice(0, 100)}" is not known to ${model}: use one of ${endpoint.voices.join(', ')}`;
  const formats = endpoint.supportedParameters['response_format'];
  if (formats?.type === 'enum' && !formats.values.includes(format))
    return `response_format must be ${formats.values.join(' or ')} for ${model}`;
  const speeds = endpoint.supportedParameters['speed'];
  if (speed !== undefined && speeds?.type === 'range' && (speed < speeds.min || speed > speeds.max))
    return `speed must be from ${speeds.min} to ${speeds.max} for ${model}`;
  return undefined;
}
