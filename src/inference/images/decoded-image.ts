import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Base64Text } from '../../providers/ports/image-adapter.port.js';
import { imageTypeOf } from '../../formats/media/image-type.js';

/** Number of characters decoded in one step; a multiple of 4. */
const STEP_CHARACTERS = 262_144;

/** Decodes base64 in pieces, so that a large picture does not block the event loop. */
export async function* decodedImage(b64: Base64Text): AsyncGenerator<Buffer> {
  let rest = '';
  for (const piece of piecesOf(b64)) {
    const text = rest + piece;
    const whole = text.length - (text.length % 4);
    rest = text.slice(whole);
    if (whole > 0) yield Buffer.from(text.slice(0, whole), 'base64');
    await nextTurn();
  }
  if (rest !== '') yield Buffer.from(rest, 'base64');
}

function* piecesOf(b64: Base64Text): Generator<string> {
  if (typeof b64 === 'string') {
    for (let at = 0; at < b64.length; at += STEP_CHARACTERS) yield b64.slice(at, at + STEP_CHARACTERS);
    return;
  }
  for (const bytes of b64) {
    for (let at = 0; at < bytes.length; at += STEP_CHARACTERS)
      yield Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1', at, at + STEP_CHARACTERS);
  }
}

/** Enough for the signature of any picture format. */
const HEAD_CHARACTERS = 64;

/** The media type of a raster picture, detected from its contents, because not all vendors report it. */
export function mediaTypeOf(b64: Base64Text): string | undefined {
  let head = '';
  for (const piece of piecesOf(b64)) {
    head += piece.slice(0, HEAD_CHARACTERS);
    if (head.length >= HEAD_CHARACTERS) break;
  }
  return imageTypeOf(Buffer.from(head, 'base64'));
}
