import { createReadStream } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import type { SupervisorMessage } from './protocol.ts';

const STOP_TIMEOUT_MS = 2_000;
const CHECK_INTERVAL_MS = 200;

/** Ends this process and all processes in its group. */
function die(): void {
  for (const target of [-process.pid, process.pid]) {
    try {
      process.kill(target, 'SIGKILL');
    } catch {
      // This process does not lead a group, so the loop goes on to kill the process alone.
    }
  }
}

/**
 * Ends the process when its supervisor or its lease ends. Runs in a separate thread, because the main thread may hang.
 */
export function watch(): void {
  let text = '';
  let until = Number.POSITIVE_INFINITY;
  let ending = Number.POSITIVE_INFINITY;
  const end = (): void => {
    if (ending !== Number.POSITIVE_INFINITY) return;
    ending = performance.now() + STOP_TIMEOUT_MS;
    parentPort!.postMessage({ stop: true } satisfies SupervisorMessage);
  };
  const input = createReadStream('', { fd: 0, encoding: 'utf8' });
  input.on('data', (part) => {
    text += String(part);
    const lines = text.split('\n');
    text = lines.pop()!;
    for (const line of lines) {
      const message = JSON.parse(line) as SupervisorMessage;
      until = message.until ?? message.boot?.until ?? until;
      // If `until` has already passed, the supervisor was stalled, and another runtime may exist.
      if (Date.now() >= until) die();
      else if (message.stop) end();
      else parentPort!.postMessage(message);
    }
  });
  input.once('close', end).once('error', end);
  setInterval(() => {
    // If the lease was not extended in time, another worker may now start the intern.
    if (Date.now() >= until || performance.now() >= ending) die();
  }, CHECK_INTERVAL_MS);
}
