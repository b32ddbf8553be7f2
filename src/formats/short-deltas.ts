import type { Delta } from './conversation.js';
import { isHighSurrogate } from './text-pieces.js';

/** Maximum length of the text in one event, because writing an event takes milliseconds per megabyte of text. */
const MAX_TEXT_CHARACTERS = 1_048_576;

/** The deltas in order, in batches to write at once. A text that exceeds the maximum is split into several deltas. */
export function* shortDeltas(deltas: readonly Delta[]): Generator<readonly Delta[], void, void> {
  if (!deltas.some(isLong)) yield deltas;
  else
    for (const delta of deltas)
      if (isLong(delta)) for (const text of pieces(delta.text)) yield [{ ...delta, text }];
      else yield [delta];
}

const isLong = (delta: Delta): delta is Extract<Delta, { type: 'text' }> =>
  delta.type === 'text' && delta.text.length > MAX_TEXT_CHARACTERS;

/** The pieces of a text. Never splits a character. */
function* pieces(text: string): Generator<string, void, void> {
  for (let from = 0, to; from < text.length; from = to) {
    to = Math.min(text.length, from + MAX_TEXT_CHARACTERS);
    if (to < text.length && isHighSurrogate(text.charCodeAt(to - 1))) to--;
    yield text.slice(from, to);
  }
}
