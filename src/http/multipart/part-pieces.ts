import type { Readable } from 'node:stream';

/**
 * The bytes of a part, piece by piece as the network brought them. A piece is valid until the next one is asked for: then its memory
 * is given back at once where the whole of it is in `ownMemory`. Left to the garbage collector, some hundred megabytes of used pieces
 * gather before it looks. (The stream's own iterator joins pieces, which costs a copy and the memory of both.)
 */
export function piecesOf(part: Readable, ownMemory: WeakSet<ArrayBufferLike>): AsyncGenerator<Buffer> {
  const state: PartState = { waiting: [], ended: false, failure: undefined, wake: () => undefined };
  // Now and not when the first piece is asked for: a short part has ended or failed by then.
  part.on('data', (piece: Buffer) => {
    state.waiting.push(piece);
    part.pause();
    state.wake();
  });
  part.pause();
  part.once('end', () => {
    state.ended = true;
    state.wake();
  });
  part.on('error', (error: Error) => {
    state.failure ??= error;
    state.wake();
  });
  part.once('close', () => {
    if (!state.ended) state.failure ??= new Error('the part was closed before its end');
    state.wake();
  });
  return handOn(part, state, ownMemory);
}

interface PartState {
  readonly waiting: Buffer[];
  ended: boolean;
  failure: Error | undefined;
  wake: () => void;
}

async function* handOn(part: Readable, state: PartState, ownMemory: WeakSet<ArrayBufferLike>): AsyncGenerator<Buffer> {
  let used: ArrayBufferLike | undefined;
  for (;;) {
    if (state.failure) throw state.failure;
    const piece = state.waiting.shift();
    if (piece) {
      if (used !== piece.buffer) giveBack(used, ownMemory);
      used = piece.buffer;
      yield piece;
    } else if (state.ended) {
      break;
    } else {
      const next = new Promise<void>((resolve) => (state.wake = resolve));
      part.resume();
      await next;
    }
  }
  giveBack(used, ownMemory);
}

function giveBack(memory: ArrayBufferLike | undefined, ownMemory: WeakSet<ArrayBufferLike>): void {
  if (memory instanceof ArrayBuffer && ownMemory.delete(memory)) (memory as ReleasableMemory).transfer(0);
}

/** ES2024: what is moved into nothing is freed. (structuredClone would move it into a copy that lives on.) */
interface ReleasableMemory extends ArrayBuffer {
  transfer(length: number): ArrayBuffer;
}
