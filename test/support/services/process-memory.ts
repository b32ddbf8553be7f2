import { closeSync, openSync, readFileSync, readSync } from 'node:fs';

const PAGE = 4_096;
const ENTRY = 8;
const MAX_PAGES = 4_096;

/**
 * Yields the resident pages of a process in contiguous pieces, like a core dump, but without the gigabytes that a
 * JavaScript engine only reserves. Requires the right to trace the process.
 */
export function* residentMemory(pid: number): Generator<Buffer, void, undefined> {
  const pagemap = openSync(`/proc/${pid}/pagemap`, 'r');
  const memory = openSync(`/proc/${pid}/mem`, 'r');
  try {
    for (const line of readFileSync(`/proc/${pid}/maps`, 'latin1').split('\n')) {
      const [, start, end, mode] = /^([0-9a-f]+)-([0-9a-f]+) (\S+)/.exec(line) ?? [];
      if (!mode?.startsWith('r') || /\[(vvar|vsyscall)/.test(line)) continue;
      yield* piecesOf(pagemap, memory, Number.parseInt(start!, 16) / PAGE, Number.parseInt(end!, 16) / PAGE);
    }
  } finally {
    closeSync(pagemap);
    closeSync(memory);
  }
}

function* piecesOf(pagemap: number, memory: number, from: number, to: number): Generator<Buffer, void, undefined> {
  for (let page = from; page < to; page += MAX_PAGES) {
    const count = Math.min(MAX_PAGES, to - page);
    const entries = Buffer.alloc(count * ENTRY);
    readSync(pagemap, entries, 0, entries.length, page * ENTRY);
    for (let at = 0; at < count;) {
      let length = 0;
      // The two highest bits of an entry: the page is in memory, or it is swapped out.
      while (at + length < count && entries[(at + length) * ENTRY + 7]! >= 0x40) length++;
      if (length > 0) yield bytesAt(memory, (page + at) * PAGE, length * PAGE);
      at += Math.max(length, 1);
    }
  }
}

function bytesAt(memory: number, position: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  try {
    return bytes.subarray(0, readSync(memory, bytes, 0, length, position));
  } catch {
    // The memory has already been freed.
    return bytes.subarray(0, 0);
  }
}
