/** The bytes from `start` to `end` of a document in chunks, as views: nothing is copied. */
export function viewsOf(chunks: readonly Buffer[], start: number, end: number): Buffer[] {
  const views: Buffer[] = [];
  let offset = 0;
  for (const chunk of chunks) {
    const from = Math.max(start - offset, 0);
    const to = Math.min(end - offset, chunk.length);
    if (from < to) views.push(from === 0 && to === chunk.length ? chunk : chunk.subarray(from, to));
    offset += chunk.length;
    if (offset >= end) break;
  }
  return views;
}

/** The bytes from `start` to `end` as text. A range in several chunks is copied, so use it only for short ranges. */
export function rangeText(chunks: readonly Buffer[], start: number, end: number): string {
  const views = viewsOf(chunks, start, end);
  return views.length === 1 ? views[0]!.toString('utf8') : Buffer.concat(views).toString('utf8');
}
