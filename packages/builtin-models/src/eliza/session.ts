import { Matcher, type Span } from './pattern.ts';
import { reflect } from './reflection.ts';
import { elizaScript, type Keyword, type Rule, type Template } from './script.ts';
import { type Clause, clausesOf, isForeign, legibleText } from './words.ts';

const MAX_KEYWORDS_TRIED = 12;
const MAX_MEMORIES = 8;
const MAX_JUMPS = 4;
const MAX_SHORT_WORDS = 3;

/** One conversation. Its state depends only on the messages that it replied to, so a replay gives the same replies. */
export class ElizaSession {
  private readonly matcher = new Matcher();
  /** How often each rule was used. A rule uses its replies in turn. */
  private readonly uses = new Map<Rule, number>();
  private readonly memories: string[] = [];
  private previous = '';
  private hasJustRecalled = false;
  private readonly script = elizaScript();

  /** The number of comparisons of pattern elements with words so far. */
  get comparisons(): number {
    return this.matcher.comparisons;
  }

  greet(): string {
    return this.byTopic('$greeting', NOTHING) ?? '';
  }

  reply(message: string): string {
    const text = legibleText(message);
    const clauses = clausesOf(text);
    const said = clauses.map(({ words }) => words.join(' ')).join(' | ');
    const isRepeated = said === this.previous && said.includes(' ');
    this.previous = said;

    const whole: Clause = { words: clauses.flatMap((c) => c.words), shown: clauses.flatMap((c) => c.shown) };
    if (whole.words.length === 0) return this.byTopic('$silence', NOTHING) ?? '';
    if (isForeign(text, clauses)) return this.byTopic('$foreign', NOTHING) ?? '';
    if (isRepeated) return this.byTopic('$repeat', whole) ?? '';
    return this.byKeyword(clauses) ?? this.withoutKeyword(text, whole);
  }

  private byKeyword(clauses: readonly Clause[]): string | undefined {
    const found: Array<{ clause: Clause; keyword: Keyword }> = [];
    for (const clause of clauses) {
      const seen = new Set<Keyword>();
      for (const word of clause.words) {
        const keyword = this.script.get(word);
        if (!keyword || seen.has(keyword)) continue;
        seen.add(keyword);
        found.push({ clause, keyword });
      }
    }
    // The sort is stable: keywords of equal rank keep the order in the message.
    found.sort((a, b) => b.keyword.rank - a.keyword.rank);
    for (const { clause, keyword } of found.slice(0, MAX_KEYWORDS_TRIED)) {
      const reply = this.byRules(keyword, clause);
      if (reply === undefined) continue;
      this.hasJustRecalled = false;
      return reply;
    }
    return undefined;
  }

  private withoutKeyword(text: string, whole: Clause): string {
    const isShort = whole.words.length <= MAX_SHORT_WORDS;
    const topic = text.trimEnd().endsWith('?') ? '$question' : isShort ? '$short' : '$none';
    const memory = topic === '$none' && !this.hasJustRecalled ? this.memories.shift() : undefined;
    this.hasJustRecalled = memory !== undefined;
    return memory ?? this.byTopic(topic, whole) ?? '';
  }

  private byTopic(topic: string, clause: Clause, jumps = 0): string | undefined {
    const keyword = this.script.get(topic);
    return keyword && this.byRules(keyword, clause, jumps);
  }

  private byRules(keyword: Keyword, clause: Clause, jumps = 0): string | undefined {
    for (const rule of keyword.rules) {
      const spans = this.matcher.match(rule.pattern, clause.words);
      if (!spans) continue;
      const use = this.uses.get(rule) ?? 0;
      this.uses.set(rule, use + 1);
      this.remember(rule, use, clause, spans);
      const reply = rule.replies[use % rule.replies.length];
      if (!reply) continue;
      if ('say' in reply) return fill(reply.say, clause, spans);
      if (jumps < MAX_JUMPS) return this.byTopic(reply.go, clause, jumps + 1);
    }
    return undefined;
  }

  private remember({ memories }: Rule, use: number, clause: Clause, spans: readonly Span[]): void {
    const memory = memories[use % memories.length];
    if (memory && this.memories.length < MAX_MEMORIES) this.memories.push(fill(memory, clause, spans));
  }
}

const NOTHING: Clause = { words: [], shown: [] };

function fill(template: Template, clause: Clause, spans: readonly Span[]): string {
  const text = template
    .map((part, index) => {
      if (index % 2 === 0) return part;
      const [start, end] = spans[Number(part) - 1] ?? [0, 0];
      return reflect(clause, start, end);
    })
    .join('')
    .replace(/ {2,}/g, ' ')
    .replace(/ (?=[.?!,])/g, '');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
