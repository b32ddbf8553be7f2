import type { Response } from 'express';

/** The parts of a body, in order: texts from this service, and bytes from elsewhere. */
export type BodyPieces = readonly (string | Uint8Array)[];

/**
 * Up to this size, one copy is cheaper than many writes. For larger bodies, the memory of a copy costs more than the
 * writes (docs/performance.md).
 */
const MAX_COPIED_BYTES = 4_096;

const lengthOf = (buffers: readonly Uint8Array[]): number => buffers.reduce((sum, { length }) => sum + length, 0);

/**
 * Returns one buffer if the body is small. Otherwise returns the bytes uncopied, and each run of adjacent texts as one
 * buffer.
 */
export function gathered(pieces: BodyPieces): readonly Uint8Array[] {
  const buffers: Uint8Array[] = [];
  let text = '';
  for (const piece of pieces) {
    if (typeof piece === 'string') text += piece;
    else {
      if (text !== '') buffers.push(Buffer.from(text));
      text = '';
      buffers.push(piece);
    }
  }
  if (text !== '') buffers.push(Buffer.from(text));
  const length = lengthOf(buffers);
  return length <= MAX_COPIED_BYTES ? [Buffer.concat(buffers, length)] : buffers;
}

/** Sends a 200 response whose JSON body consists of the pieces. */
export function sendJsonPieces(
  response: Response,
  headers: Readonly<Record<string, string>>,
  pieces: BodyPieces,
): void {
  const buffers = gathered(pieces);
  response.writeHead(200, {
    ...headers,
    'content-type': 'application/json; charset=utf-8',
    'content-length': lengthOf(buffers),
  });
  response.cork();
  for (const buffer of buffers.slice(0, -1)) response.write(buffer);
  response.end(buffers.at(-1));
  response.uncork();
}
