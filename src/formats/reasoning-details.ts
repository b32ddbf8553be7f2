import type { ReasoningDetail } from './conversation.js';

/**
 * Joins the pieces into which a stream splits the entries of `reasoning_details`. Consecutive pieces of the same type,
 * format and index are one entry. A piece after a signature, or with another id, starts a new entry. Encrypted entries
 * are not joined.
 */
export function mergeReasoningDetails(details: readonly ReasoningDetail[]): ReasoningDetail[] {
  const merged: ReasoningDetail[] = [];
  for (const detail of details) {
    const last = merged.at(-1);
    if (last && belongsTo(last, detail)) merged[merged.length - 1] = joined(last, detail);
    else merged.push(detail);
  }
  return merged;
}

function belongsTo(last: ReasoningDetail, next: ReasoningDetail): boolean {
  return (
    next.type !== 'reasoning.encrypted' &&
    last.type === next.type &&
    last.format === next.format &&
    last.index === next.index &&
    last.signature === undefined &&
    (last.id === undefined || next.id === undefined || last.id === next.id)
  );
}

const joined = (last: ReasoningDetail, next: ReasoningDetail): ReasoningDetail => ({
  ...last,
  text: join(last.text, next.text),
  summary: join(last.summary, next.summary),
  signature: next.signature ?? last.signature,
  id: next.id ?? last.id,
});

const join = (a: string | undefined, b: string | undefined): string | undefined =>
  a === undefined ? b : b === undefined ? a : a + b;
