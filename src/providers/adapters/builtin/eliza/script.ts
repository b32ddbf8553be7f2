import { parsePattern, type Group, type Pattern } from './pattern.js';

/** A template cut at its captures: texts at even indices, numbers of captures at odd ones. */
export type Template = readonly string[];

/** What a rule replies: a template, or the name of a keyword whose rules apply instead. */
export type Reassembly = { readonly say: Template } | { readonly go: string };

export interface Rule {
  readonly pattern: Pattern;
  readonly replies: Reassembly[];
  /** Kept for later, when a message has no keyword. */
  readonly memories: Template[];
}

export interface Keyword {
  readonly rank: number;
  readonly rules: Rule[];
}

export type Script = ReadonlyMap<string, Keyword>;

/**
 * Reads a script. Its lines are:
 *
 *     group <name>: <words>      words that patterns and keys name as @name
 *     key <rank>: <words>        the keywords that the following rules belong to; a higher rank goes first
 *     if <pattern>               a decomposition (see Pattern)
 *     say <template>             a reply; (n) is capture n with its pronouns reflected. Several take turns
 *     go <word>                  a reply by the rules of another keyword
 *     keep <template>            a sentence for later
 *
 * Names that begin with $ are no words: the session uses them where no keyword applies. Throws on a faulty script.
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
    const [, label = '', list = ''] = /^(\S+):\s+(.+)$/.exec(rest) ?? [];
    if (command === 'group') groups.set(label, new Set(wordsOf(list)));
    else if (command === 'key') {
      keyword = { rank: Number(label), rules: [] };
      for (const word of wordsOf(list)) {
        if (script.has(word)) throw new Error(`script: two keys for ${word}`);
        script.set(word, keyword);
      }
    } else if (command === 'if' && keyword) {
      rule = { pattern: parsePattern(rest, groups), replies: [], memories: [] };
      keyword.rules.push(rule);
    } else if (command === 'say' && rule) rule.replies.push({ say: template(rest, rule.pattern) });
    else if (command === 'go' && rule) rule.replies.push({ go: rest });
    else if (command === 'keep' && rule) rule.memories.push(template(rest, rule.pattern));
    else throw new Error(`script: cannot read "${line}"`);
  }
  checkReferences(script);
  return script;
}

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
