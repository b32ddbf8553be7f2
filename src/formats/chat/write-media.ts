import { invalidRequest } from '../../kernel/errors/errors.js';
import { audioFormatOf } from '../media/audio-format.js';
import type { MediaPart } from '../conversation.js';

/** The corresponding part of the chat format. */
export function writeMedia(part: MediaPart): object {
  const { source, filename, detail } = part;
  const url = 'url' in source ? source.url : `data:${source.mediaType};base64,${source.base64}`;
  switch (part.type) {
    case 'image':
      return { type: 'image_url', image_url: { url, detail } };
    case 'video':
      return { type: 'video_url', video_url: { url } };
    case 'file':
      return { type: 'file', file: { filename, file_data: url } };
    default:
      if ('url' in source) throw invalidRequest('Audio by URL cannot be sent to this endpoint: send it as base64.');
      return { type: 'input_audio', input_audio: { data: source.base64, format: audioFormatOf(source.mediaType) } };
  }
}
