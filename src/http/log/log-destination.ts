import { destination } from 'pino';

/** Receives the lines of the log. */
export interface LogDestination {
  /** Receives complete lines, each with its line feed. */
  write(text: string): void;
  /** Returns when everything is written. */
  flushSync(): void;
}

/**
 * Buffered lines are written when their total size reaches this limit, because each write wakes a thread, which costs
 * more than formatting many lines. The limit must be less than 16 KiB, the maximum of one write.
 */
const MIN_WRITE_BYTES = 12_288;
const FLUSH_AFTER_MS = 100;
/** Maximum memory for lines while the reader of the log does not read. Further lines are dropped and counted. */
const MAX_WAITING_BYTES = 16 * 1_048_576;

/**
 * Buffers lines up to 12 KiB or 100 ms and writes them in a libuv thread. The rest is written when the process ends,
 * even after an uncaught exception. Only SIGKILL loses lines: at most the last 100 ms.
 */
export function bufferedOutput(fd: number): LogDestination {
  const stream = destination({ dest: fd, sync: false, minLength: MIN_WRITE_BYTES, maxLength: MAX_WAITING_BYTES });
  let timer: NodeJS.Timeout | undefined;
  let dropped = 0;
  const flush = (): void => {
    timer = undefined;
    if (dropped > 0) reportDropped();
    stream.flush();
  };
  const reportDropped = (): void => {
    const lines = dropped;
    dropped = 0;
    stream.write(lineOfDropped(lines));
    // The line about dropped lines was dropped too. Try again at the next flush.
    if (dropped > 0) dropped = lines;
  };
  const flushLater = (): void => void (timer ??= setTimeout(flush, FLUSH_AFTER_MS).unref());
  stream.on('drop', () => dropped++);
  // A flush does nothing while the stream is writing, so schedule another flush for the lines that were added during
  // the write.
  stream.on('write', (bytes: number) => {
    if (bytes > 0) flushLater();
  });
  // A closed pipe must not end the process. Pino itself handles EPIPE.
  stream.on('error', () => undefined);
  return {
    write: (text) => {
      stream.write(text);
      flushLater();
    },
    flushSync: () => stream.flushSync(),
  };
}

const lineOfDropped = (lines: number): string =>
  `${JSON.stringify({
    level: 'warn',
    time: new Date().toISOString(),
    context: 'log',
    msg: `${lines} lines were dropped, because the reader of the log is too slow`,
  })}\n`;

/**
 * For terminals: writes every line immediately, so that lines keep their order among the other output of the stream.
 */
export function directOutput(stream: NodeJS.WriteStream): LogDestination {
  return { write: (text) => void stream.write(text), flushSync: () => undefined };
}
