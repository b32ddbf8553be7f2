/** Words that a pattern treats as equal. */
export type Group = ReadonlySet<string>;

/** A word, or a group of words of which one must match. */
type Element = string | Group;

/**
 * A decomposition of a clause. In the source, `*` matches any number of words, `+` matches at least one word, and
 * `@name` matches one word of a group. Any other word matches itself. Wildcards and groups are captured and numbered
 * from 1, in order.
 */
export interface Pattern {
  /** The elements between wildcards. The first segment must match at the start of the clause, the last at its end. */
  readonly segments: ReadonlyArray<readonly Element[]>;
  /** The minimum number of words for the wildcard before each segment. */
  readonly gaps: readonly number[];
  readonly captures: number;
}

/** A capture: indices of words, with an exclusive end. */
export type Span = readonly [start: number, end: number];

export function parsePattern(source: string, groups: ReadonlyMap<string, Group>): Pattern {
  const segments: Element[][] = [[]];
  const gaps = [0];
  let captures = 0;
  for (const element of source.split(/\s+/)) {
    if (element === '*' || element === '+') {
      segments.push([]);
      gaps.push(element === '+' ? 1 : 0);
      captures++;
    } else if (element.startsWith('@')) {
      const group = groups.get(element.slice(1));
      if (!group) throw new Error(`unknown group ${element}`);
      segments.at(-1)?.push(group);
      captures++;
    } else segments.at(-1)?.push(element);
  }
  return { segments, gaps, captures };
}

/** Matches patterns against clauses. Each segment uses its first match, so there is no backtracking. */
export class Matcher {
  /** The number of comparisons of elements with words so far, which measures the time that replies take. */
  comparisons = 0;

  match({ segments, gaps }: Pattern, words: readonly string[]): Span[] | undefined {
    const spans: Span[] = [];
    let at = 0;
    for (const [index, segment] of segments.entries()) {
      const first = at + (gaps[index] ?? 0);
      const last = words.length - segment.length;
      let start: number;
      if (index === 0) start = this.fits(segment, words, 0) ? 0 : -1;
      else if (index === segments.length - 1) start = last >= first && this.fits(segment, words, last) ? last : -1;
      else start = this.find(segment, words, first);
      if (start < 0) return undefined;
      if (index > 0) spans.push([at, start]);
      segment.forEach((element, offset) => {
        if (typeof element !== 'string') spans.push([start + offset, start + offset + 1]);
      });
      at = start + segment.length;
    }
    return at === words.length ? spans : undefined;
  }

  private find(segment: readonly Element[], words: readonly string[], first: number): number {
    for (let start = first; start + segment.length <= words.length; start++) {
      if (this.fits(segment, words, start)) return start;
    }
    return -1;
  }

  private fits(segment: readonly Element[], words: readonly string[], start: number): boolean {
    for (const [offset, element] of segment.entries()) {
      this.comparisons++;
      const word = words[start + offset];
      if (word === undefined || (typeof element === 'string' ? element !== word : !element.has(word))) return false;
    }
    return true;
  }
}
