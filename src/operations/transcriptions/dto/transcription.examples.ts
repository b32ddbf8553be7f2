import type { TranscriptionRequestBody } from './transcription.request.dto.js';

type Examples = Readonly<Record<string, { readonly summary: string; readonly value: TranscriptionRequestBody }>>;

export const TRANSCRIPTION_EXAMPLES: Examples = {
  json: {
    summary: 'A recording in base64',
    value: { model: 'author/transcription-model', input_audio: { data: 'UklGRiQAAABXQVZF', format: 'wav' } },
  },
  verbose: {
    summary: 'With the times of every word',
    value: {
      model: 'author/transcription-model',
      input_audio: { data: 'UklGRiQAAABXQVZF', format: 'wav' },
      response_format: 'verbose_json',
      timestamp_granularities: ['word'],
    },
  },
};
