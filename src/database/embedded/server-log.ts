import { copyFile, open, stat, truncate } from 'node:fs/promises';

const MAX_BYTES = 10 * 1024 * 1024;
const MAX_TAIL_BYTES = 16 * 1024;

/**
 * If a log exceeds 10 MB, copies it to `<path>.1` and truncates it. The server has opened the log for appending, so it
 * continues to write to the truncated file.
 */
export async function trimLog(path: string): Promise<void> {
  const size = await stat(path).then(
    (found) => found.size,
    () => 0,
  );
  if (size <= MAX_BYTES) return;
  await copyFile(path, `${path}.1`);
  await truncate(path);
}

/**
 * The server's last error message without its prefix, otherwise the last line of the log; undefined if there is none.
 * `from` = the first byte to read.
 */
export async function lastErrorMessage(path: string, from = 0): Promise<string | undefined> {
  const text = await readTail(path, from);
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const message = lines.findLast((line) => /\b(FATAL|PANIC):|\berror:/.test(line)) ?? lines.at(-1);
  return message?.replace(/^.*?\b(?:FATAL|PANIC|error):\s*/, '').replace(/\.$/, '');
}

async function readTail(path: string, from: number): Promise<string> {
  try {
    const file = await open(path, 'r');
    try {
      const { size } = await file.stat();
      const start = Math.max(size < from ? 0 : from, size - MAX_TAIL_BYTES);
      const { buffer, bytesRead } = await file.read(Buffer.alloc(size - start), 0, size - start, start);
      return buffer.toString('utf8', 0, bytesRead);
    } finally {
      await file.close();
    }
  } catch {
    return '';
  }
}
