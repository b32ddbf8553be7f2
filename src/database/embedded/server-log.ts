import { copyFile, open, stat, truncate } from 'node:fs/promises';

const MAX_BYTES = 10 * 1024 * 1024;
const TAIL_BYTES = 16 * 1024;

/** Keeps a log at 10 MB and one older part beside it. The server appends, so it goes on writing at the new beginning. */
export async function trimLog(path: string): Promise<void> {
  const size = await stat(path).then(
    (found) => found.size,
    () => 0,
  );
  if (size <= MAX_BYTES) return;
  await copyFile(path, `${path}.1`);
  await truncate(path);
}

/** What a server complained of last, without its prefix; undefined if of nothing. `from` skips what was there before. */
export async function lastComplaint(path: string, from = 0): Promise<string | undefined> {
  const text = await readTail(path, from);
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const complaint = lines.findLast((line) => /\b(FATAL|PANIC):|\berror:/.test(line)) ?? lines.at(-1);
  return complaint?.replace(/^.*?\b(?:FATAL|PANIC|error):\s*/, '').replace(/\.$/, '');
}

async function readTail(path: string, from: number): Promise<string> {
  try {
    const file = await open(path, 'r');
    try {
      const { size } = await file.stat();
      const start = Math.max(size < from ? 0 : from, size - TAIL_BYTES);
      const { buffer, bytesRead } = await file.read(Buffer.alloc(size - start), 0, size - start, start);
      return buffer.toString('utf8', 0, bytesRead);
    } finally {
      await file.close();
    }
  } catch {
    return '';
  }
}
