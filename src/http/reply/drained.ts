import type { Response } from 'express';

/** Resolves when the response emits `drain`, or when its client has disconnected. */
export function drained(response: Response): Promise<void> {
  // A destroyed response no longer emits `drain`, and may have emitted `close` already.
  if (response.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      response.off('drain', done);
      response.off('close', done);
      resolve();
    };
    response.once('drain', done);
    response.once('close', done);
  });
}
