import { elizaScript, parseScript } from './script.ts';

const script = elizaScript();
const keywords = [...new Set(script.values())];
const templates = keywords
  .flatMap(({ rules }) => rules)
  .flatMap(({ replies, memories }) => [...replies.flatMap((reply) => ('say' in reply ? [reply.say] : [])), ...memories])
  .map((template) => template.map((part, at) => (at % 2 === 0 ? part : 'X')).join(''));

describe('the script', () => {
  it('has more than eighty keywords, with hundreds of words and rules', () => {
    expect(keywords.length).toBeGreaterThan(80);
    expect(script.size).toBeGreaterThan(400);
    expect(keywords.flatMap(({ rules }) => rules).length).toBeGreaterThan(200);
  });

  it('has whole sentences as replies', () => {
    expect(templates.filter((text) => !/^[A-Z(“].*[.?]$/.test(text) && !/^X[.?:]/.test(text))).toEqual([]);
    expect(templates.filter((text) => / {2}| [.?,]|\bi\b/.test(text))).toEqual([]);
  });

  it('has the topics for messages without a keyword, each with a rule that fits any message', () => {
    for (const topic of ['$greeting', '$silence', '$foreign', '$repeat', '$question', '$none', '$short']) {
      const last = script.get(topic)?.rules.at(-1)?.pattern;
      expect(last).toMatchObject({ segments: [[], []] });
    }
  });
});

describe('a faulty script', () => {
  it.each([
    ['a line that is not a command', 'hello', /cannot read/],
    ['a rule before any key', 'if *', /cannot read/],
    ['a reply before any rule', 'key 1: a\n| b', /cannot read/],
    ['a word with two keys', 'key 1: a\nif *: b\nkey 2: a', /two keys for a/],
    ['a rank that is not a number', 'key x: a\nif *: b', /no rank/],
    ['a key without rules', 'key 1: a', /no rules/],
    ['a rule without replies', 'key 1: a\nif *', /no reply/],
    ['a capture that the pattern lacks', 'key 1: a\nif * a: c (2)', /no capture 2/],
    ['a group that is not defined', 'key 1: a\nif @b: c', /unknown group @b/],
    ['a jump to a word without rules', 'key 1: a\nif *: go b', /without rules/],
  ])('is refused for %s', (_, source, message) => {
    expect(() => parseScript(source)).toThrow(message);
  });
});
