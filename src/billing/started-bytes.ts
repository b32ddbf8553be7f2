import type { ByteOutlet } from '../kernel/byte-outlet.js';
import { GatewayError } from '../kernel/errors/errors.js';

/** The pieces of a response in the order of their arrival. */
export interface Pieces extends AsyncIterator<Uint8Array, unknown> {
  /**
   * Calls `take` with each remaining piece, which is cheaper than iteration. Resolves at the end. The source pauses
   * while the promise that `take` returned is pending.
   */
  each?(take: (piece: Uint8Array) => Promise<void> | undefined): Promise<void>;
}

/**
 * The bytes of a response that has started. The first piece is read in advance, so that an error before that piece can
 * still be returned with an error status.
 */
export interface StartedBytes {
  /** Never empty. */
  readonly first: Uint8Array;
  /** The pieces after `first`. */
  readonly rest: Pieces;
  /**
   * True if the vendor's complete response is known to be received and read. Otherwise the response is complete when
   * `rest` ends.
   */
  readonly isComplete: () => boolean;
  /**
   * Set if the response ends with its cost. Returns this end, which is sent after the settlement. Absent = the last
   * byte is held back until the settlement.
   */
  readonly closing?: () => Uint8Array;
  /** Returns the end of a response that fails after it has started. Absent = the response is cut off. */
  readonly failing?: (error: unknown) => Uint8Array;
}

/**
 * Forwards a response and returns the bytes that remain to be sent after the settlement. They are empty if the response
 * has a `closing`. Throws caller_gone if the caller has disconnected.
 */
export function forwardUpToLast(
  started: StartedBytes,
  outlet: ByteOutlet,
  progress: { sent: boolean },
): Uint8Array | Promise<Uint8Array> {
  if (started.closing) return forwardAll(started, outlet, progress);
  return started.isComplete() ? started.first : forwardAllButLast(started, outlet, progress);
}

const NOTHING = new Uint8Array(0);

/**
 * Forwards all pieces as they arrive. After the caller has disconnected, further pieces are read to find the usage, but
 * not sent.
 */
async function forwardAll(started: StartedBytes, outlet: ByteOutlet, progress: { sent: boolean }): Promise<Uint8Array> {
  const { first, rest } = started;
  if (!outlet.isOpen) {
    await rest.return?.();
    throw new GatewayError('caller_gone', 'The caller disconnected');
  }
  progress.sent = true;
  const forward = (piece: Uint8Array): Promise<void> | undefined => (outlet.isOpen ? outlet.write(piece) : undefined);
  const wait = forward(first);
  if (wait) await wait;
  if (started.isComplete()) return NOTHING;
  if (rest.each) await rest.each(forward);
  else for (let step = await rest.next(); !step.done; step = await rest.next()) await forward(step.value);
  return NOTHING;
}

/** Forwards pieces as they arrive, but always keeps the last byte back. Returns the bytes that are kept at the end. */
async function forwardAllButLast(
  started: StartedBytes,
  outlet: ByteOutlet,
  progress: { sent: boolean },
): Promise<Uint8Array> {
  let held = started.first;
  while (!started.isComplete()) {
    if (held.length > 1) {
      progress.sent = true;
      const wait = outlet.write(held.subarray(0, -1));
      held = held.subarray(-1);
      if (wait) await wait;
    }
    if (!outlet.isOpen) {
      await started.rest.return?.();
      throw new GatewayError('caller_gone', 'The caller disconnected');
    }
    const step = await started.rest.next();
    if (step.done) break;
    if (step.value.length === 0) continue;
    progress.sent = true;
    void outlet.write(held);
    held = step.value;
  }
  return held;
}
