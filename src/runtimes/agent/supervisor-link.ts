import { writeSync } from 'node:fs';
import type { AgentMessage } from './protocol.ts';

const FULL_PIPE_PAUSE_MS = 5;

/**
 * Sends one message to the supervisor. Synchronous, so that messages keep their order and do not accumulate in memory.
 */
export function send(message: AgentMessage): void {
  const line = Buffer.from(`${JSON.stringify(message)}\n`);
  for (let written = 0; written < line.length;) {
    try {
      written += writeSync(1, line, written);
    } catch (error) {
      // The pipe is full, and writes to it do not block.
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, FULL_PIPE_PAUSE_MS);
    }
  }
}
