/** Audio formats whose media type is not `audio/<format>`. */
const MEDIA_TYPES: ReadonlyMap<string, string> = new Map([['mp3', 'audio/mpeg']]);
const FORMATS: ReadonlyMap<string, string> = new Map([...MEDIA_TYPES].map(([format, type]) => [type, format]));

export const mediaTypeOfAudio = (format: string): string => MEDIA_TYPES.get(format) ?? `audio/${format}`;

export const audioFormatOf = (mediaType: string): string =>
  FORMATS.get(mediaType) ?? mediaType.slice(mediaType.indexOf('/') + 1);
