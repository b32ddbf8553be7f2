import type { Readable } from 'node:stream';

/**
 * The bytes of a part, in the pieces in which they were received. A piece is valid until the next piece is requested.
 * Then its memory is freed if `ownMemory` contains it, because hundreds of megabytes would accumulate before the
 * garbage collector runs. The stream's own iterator is not used, because it joins pieces, which costs a copy and the
 * memory of the copy.
 */
export function partPieces(part: Readable, ownMemory: WeakSet<ArrayBufferLike>): AsyncGenerator<Buffer> {
  const state: PartState = { waiting: [], ended: false, failure: undefined, wake: () => undefined };
  // Listen now, because a short part may end or fail before the first piece is requested.
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
  return readPieces(part, state, ownMemory);
}

interface PartState {
  readonly waiting: Buffer[];
  ended: boolean;
  failure: Error | undefined;
  wake: () => void;
}

async function* readPieces(
  part: Readable,
  state: PartState,
  ownMemory: WeakSet<ArrayBufferLike>,
): AsyncGenerator<Buffer> {
  let used: ArrayBufferLike | undefined;
  for (;;) {
    if (state.failure) throw state.failure;
    const piece = state.waiting.shift();
    if (piece) {
      if (used !== piece.buffer) free(used, ownMemory);
      used = piece.buffer;
      yield piece;
    } else if (state.ended) {
      break;
    } else {
      const next = Promise.withResolvers<void>();
      state.wake = next.resolve;
      part.resume();
      await next.promise;
    }
  }
  free(used, ownMemory);
}

/** Frees the memory now instead of at the next garbage collection. */
function free(memory: ArrayBufferLike | undefined, ownMemory: WeakSet<ArrayBufferLike>): void {
  if (memory instanceof ArrayBuffer && ownMemory.delete(memory)) memory.transfer(0);
}
