import { parsePattern, type Group, type Pattern } from './pattern.ts';
import { CONVERSATION } from './script/conversation.ts';
import { TOPICS } from './script/topics.ts';

/** A template split at its captures: texts at even indices, capture numbers at odd indices. */
export type Template = readonly string[];

/** A reply of a rule: a template, or the name of a keyword whose rules apply instead. */
export type Reassembly = { readonly say: Template } | { readonly go: string };

export interface Rule {
  readonly pattern: Pattern;
  readonly replies: Reassembly[];
  /** Templates for memories, which are used later when a message has no keyword. */
  readonly memories: Template[];
}

export interface Keyword {
  readonly rank: number;
  readonly rules: Rule[];
}

export type Script = ReadonlyMap<string, Keyword>;

let script: Script | undefined;

/** The script of `builtin/eliza`, parsed once. */
export function elizaScript(): Script {
  // TOPICS comes first, because it defines the groups of words for both parts.
  script ??= parseScript(`${TOPICS}\n${CONVERSATION}`);
  return script;
}

/**
 * Reads a script. Its lines are:
 *
 *     group <name>: <words>; …      words that patterns and keys refer to as @name
 *     key <rank>: <words>           the keywords of the following rules; higher ranks are tried first
 *     if <pattern>: <reply> | …     a decomposition (see Pattern) and its replies, which are used in turn
 *     | <reply> | …                 more replies of the rule
 *     keep <template>               a memory: a sentence for later
 *
 * A reply is a template or `go <word>`. In a template, (n) is capture n with its pronouns reflected. `go <word>` uses
 * the rules of another keyword. Names that start with $ match no word of a message: `go` refers to them, and the
 * session uses some of them directly, for example if no keyword applies. Throws if the script is invalid.
 */
export function parseScript(source: string): Script {
  const groups = new Map<string, Group>();
  const script = new Map<string, Keyword>();
  const wordsOf = (list: string): string[] =>
    list.split(/\s+/).flatMap((word) => (word.startsWith('@') ? [...(groups.get(word.slice(1)) ?? [])] : [word]));
  let keyword: Keyword | undefined;
  let rule: Rule | undefined;

  for (const line of source.split('\n').map((text) => text.trim())) {
    if (line === '') continue;
    const [, command = '', rest = ''] = /^(\S+)\s+(.+)$/.exec(line) ?? [];
    const [, label = '', list = ''] = /^([^:]+):\s*(.*)$/.exec(rest) ?? [];
    if (command === 'group')
      for (const [, name, words] of rest.matchAll(/([\w-]+): ([^;]+)/g)) groups.set(name!, new Set(wordsOf(words!)));
    else if (command === 'key') {
      keyword = { rank: Number(label), rules: [] };
      for (const word of wordsOf(list)) {
        if (script.has(word)) throw new Error(`script: two keys for ${word}`);
        script.set(word, keyword);
      }
    } else if (command === 'if' && keyword) {
      rule = { pattern: parsePattern(label || rest, groups), replies: [], memories: [] };
      rule.replies.push(...repliesIn(list, rule.pattern));
      keyword.rules.push(rule);
    } else if (command === '|' && rule) rule.replies.push(...repliesIn(rest, rule.pattern));
    else if (command === 'keep' && rule) rule.memories.push(template(rest, rule.pattern));
    else throw new Error(`script: cannot read "${line}"`);
  }
  checkReferences(script);
  return script;
}

const repliesIn = (list: string, pattern: Pattern): Reassembly[] =>
  list
    .split(' | ')
    .filter(Boolean)
    .map((text) => (text.startsWith('go ') ? { go: text.slice('go '.length) } : { say: template(text, pattern) }));

function template(source: string, pattern: Pattern): Template {
  const parts = source.split(/\((\d+)\)/);
  const unknown = parts.find((part, index) => index % 2 === 1 && Number(part) > pattern.captures);
  if (unknown !== undefined) throw new Error(`script: no capture ${unknown} in "${source}"`);
  return parts;
}

function checkReferences(script: Script): void {
  for (const [word, { rank, rules }] of script) {
    if (!Number.isInteger(rank) || rules.length === 0) throw new Error(`script: ${word} has no rank or no rules`);
    for (const { replies } of rules) {
      if (replies.length === 0) throw new Error(`script: a rule of ${word} has no reply`);
      const missing = replies.find((reply) => 'go' in reply && !script.has(reply.go));
      if (missing) throw new Error(`script: ${word} goes to a word without rules`);
    }
  }
}
