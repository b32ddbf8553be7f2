import type { SpokenPiece } from '@gatehouse/builtin-models';
import { invalidRequest } from '../../../kernel/errors/errors.js';

/**
 * The maximum duration of the speech of one call. It allows about 10,000 characters of prose, which take some seconds
 * of CPU time.
 */
export const MAX_SPOKEN_SECONDS = 600;

/** Seconds per character, measured with the voice `slt` at speed 1. */
const SECONDS = { prose: 0.055, spelled: 0.36, digit: 0.45, punctuation: 0.05, sign: 0.5 };

/**
 * The approximate duration of the pieces in seconds. Flite spells words without a vowel letter by letter ("W" is
 * "double u") and pronounces digits and signs as words. A short text of such characters therefore lasts as long as a
 * long text of prose.
 */
export function estimatedSeconds(pieces: readonly SpokenPiece[], speed: number): number {
  let seconds = 0;
  for (const { text } of pieces)
    for (const [run] of text.matchAll(/[A-Za-z]+|[0-9]+|[ \n.,;:!?'"()-]+|[^A-Za-z0-9 \n.,;:!?'"()-]+/g))
      seconds += run.length * secondsPerCharacter(run);
  return seconds / speed;
}

function secondsPerCharacter(run: string): number {
  const first = run.charAt(0);
  if (/[A-Za-z]/.test(first)) return /[aeiouy]/i.test(run) ? SECONDS.prose : SECONDS.spelled;
  if (/[0-9]/.test(first)) return SECONDS.digit;
  return /[ \n.,;:!?'"()-]/.test(first) ? SECONDS.punctuation : SECONDS.sign;
}

/** Throws invalid_request for speech that would last longer than MAX_SPOKEN_SECONDS. */
export function checkDuration(pieces: readonly SpokenPiece[], speed: number): void {
  const seconds = estimatedSeconds(pieces, speed);
  if (seconds <= MAX_SPOKEN_SECONDS) return;
  throw invalidRequest(
    `input would last about ${Math.ceil(seconds)} seconds; this model speaks at most ${MAX_SPOKEN_SECONDS} seconds ` +
      'in one request. Send the text in parts, or choose a higher speed.',
  );
}
