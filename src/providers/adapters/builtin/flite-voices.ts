import { invalidRequest } from '../../../kernel/errors/errors.js';
import { isLongerThan, lengthInCharacters } from '../../../kernel/text/text.js';

/** A voice compiled into the synthesiser. */
export interface FliteVoice {
  /** Flite's own name of the voice. */
  readonly name: 'slt' | 'rms' | 'awb' | 'kal16';
  /** Equalises the loudness of the voices. The voice kal16 was recorded about 10 dB below the others. */
  readonly gain: number;
}

const SLT: FliteVoice = { name: 'slt', gain: 1 };
const RMS: FliteVoice = { name: 'rms', gain: 1.25 };
const AWB: FliteVoice = { name: 'awb', gain: 1.1 };
const KAL16: FliteVoice = { name: 'kal16', gain: 2 };

/** Flite's voices, by their own names and by OpenAI's names, so that clients of OpenAI work unchanged. */
const VOICES: ReadonlyMap<string, FliteVoice> = new Map([
  ['slt', SLT],
  ['rms', RMS],
  ['awb', AWB],
  ['kal16', KAL16],
  ['alloy', SLT],
  ['ash', RMS],
  ['ballad', AWB],
  ['cedar', RMS],
  ['coral', SLT],
  ['echo', KAL16],
  ['fable', AWB],
  ['marin', SLT],
  ['nova', SLT],
  ['onyx', RMS],
  ['sage', SLT],
  ['shimmer', SLT],
  ['verse', AWB],
]);

/** Every voice name that the adapter accepts, for the catalogue's `supported_voices`. */
export const FLITE_VOICES: readonly string[] = [...VOICES.keys()];

/** Maximum length of `input`, in Unicode code points. */
export const FLITE_MAX_CHARACTERS = 20_000;

const FLITE_MIN_SPEED = 0.25;
const FLITE_MAX_SPEED = 4;

/** Returns the voice or throws invalid_request. Flite itself silently replaces an unknown voice. */
export function fliteVoice(name: string): FliteVoice {
  const voice = VOICES.get(name);
  if (voice) return voice;
  const shown = name.length > 64 ? `${name.slice(0, 64)}…` : name;
  throw invalidRequest(`Unknown voice ${JSON.stringify(shown)}. Valid voices: ${FLITE_VOICES.join(', ')}.`);
}

/** The given speed, clamped to the range of the model. */
export const fliteSpeed = (given = 1): number => Math.min(Math.max(given, FLITE_MIN_SPEED), FLITE_MAX_SPEED);

export function checkInput(input: string): void {
  if (input.trim() === '') throw invalidRequest('input is empty: send the text to speak.');
  if (isLongerThan(input, FLITE_MAX_CHARACTERS))
    throw invalidRequest(
      `input has ${lengthInCharacters(input)} characters; this model speaks at most ${FLITE_MAX_CHARACTERS} in one ` +
        'request.',
    );
}
