import { extname } from 'node:path';
import type { FormFile } from '../../http/body/held-form.js';
import { decodeBase64 } from '../../inference/base64.js';
import type { TranscriptionRequest } from '../../inference/capabilities/transcription.js';
import { GatewayError, invalidRequest } from '../../kernel/errors/errors.js';
import { inSlices } from '../../kernel/scheduling/slices.js';
import type { InputAudio } from './dto/transcription.request.dto.js';

type Recording = TranscriptionRequest['recording'];

const MAX_RECORDING_BYTES = 26_214_400;
const BASE64_GROUP_CHARACTERS = 4;
const BASE64_GROUP_BYTES = 3;
/** The number of base64 characters of the largest accepted recording. */
export const MAX_BASE64_CHARACTERS = Math.ceil(MAX_RECORDING_BYTES / BASE64_GROUP_BYTES) * BASE64_GROUP_CHARACTERS;
const EXTENSION = /^\.[a-z0-9]{1,16}$/i;

/** The recording of a JSON body or of a form; throws invalid_request or payload_too_large. */
export async function readRecording(
  audio: InputAudio | undefined,
  files: readonly FormFile[] | undefined,
): Promise<Recording> {
  if (!files) {
    if (!audio) throw invalidRequest('input_audio is required');
    return recordingOf(await bytesOf(audio.data), `.${audio.format}`, 'input_audio.data');
  }
  const sent = files.filter(({ field }) => field === 'file');
  if (sent.length !== 1)
    throw invalidRequest('The form must contain exactly one part named "file": a file with a file name');
  return recordingOf(sent[0]!.bytes, extname(sent[0]!.fileName), 'file');
}

/** Keeps only the extension of the file name, by which vendors detect the audio format. */
function recordingOf(bytes: Buffer, extension: string, name: string): Recording {
  if (bytes.length > MAX_RECORDING_BYTES) throw tooLarge();
  if (bytes.length === 0) throw invalidRequest(`${name} is empty`);
  return { bytes, fileName: `audio${EXTENSION.test(extension) ? extension.toLowerCase() : ''}` };
}

async function bytesOf(data: string): Promise<Buffer> {
  if (data.length > MAX_BASE64_CHARACTERS) throw tooLarge();
  const bytes = await inSlices(decodeBase64(data));
  if (!bytes) throw invalidRequest('input_audio.data must be base64, not a URL');
  return bytes;
}

const tooLarge = (): GatewayError =>
  new GatewayError('payload_too_large', `The recording is larger than ${MAX_RECORDING_BYTES} bytes`);
