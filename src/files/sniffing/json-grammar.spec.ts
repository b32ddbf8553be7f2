import fc from 'fast-check';
import { JsonGrammar } from './json-grammar.js';

function read(text: string, step = 1_000): 'document' | 'lines' | undefined {
  const grammar = new JsonGrammar();
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += step) grammar.push(bytes.subarray(at, at + step));
  return grammar.end();
}

/** Whether JSON.parse accepts the text as an object or an array. */
function parses(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null;
  } catch {
    return false;
  }
}

describe('the grammar of JSON in pieces', () => {
  it('accepts any output of JSON.stringify, wherever the text is split', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.integer({ min: 1, max: 9 }), fc.constantFrom(0, 2), (value, step, indent) => {
        const text = JSON.stringify([value], null, indent);
        expect(read(text, step)).toBe('document');
      }),
      { numRuns: 500 },
    );
  });

  it('agrees with JSON.parse about texts that are JSON except for one character', () => {
    const spoiled = fc
      .tuple(
        fc.jsonValue(),
        fc.nat(),
        fc.constantFrom(
          '',
          '"',
          '\\',
          ',',
          ':',
          '{',
          '}',
          '[',
          ']',
          '0',
          '-',
          '.',
          'e',
          '+',
          'u',
          't',
          'null',
          ' ',
          '\n',
          '\u0001',
          '\t',
          'é',
        ),
      )
      .map(([value, at, put]) => {
        const text = JSON.stringify({ a: [value, 1.5e-7, 'é"\\\n'] });
        const index = at % text.length;
        return text.slice(0, index) + put + text.slice(index + (at % 2));
      });
    fc.assert(
      fc.property(spoiled, fc.integer({ min: 1, max: 9 }), (text, step) => {
        expect([text, read(text, step) === 'document']).toEqual([text, parses(text)]);
      }),
      { numRuns: 5_000 },
    );
  });

  it.each(['{"a":1}\n{"a":2}', '{"a":1}\r\n\r\n[2]\n', '\n{}\n{}\n{}\n'])('reads %j as lines', (text) => {
    expect(read(text, 1)).toBe('lines');
  });

  it.each([
    ['two documents on one line', '{} {}'],
    ['documents over several lines', '{\n}\n{\n}'],
    ['one broken line among many', '{}\n{"a"}\n{}'],
    ['a cut-off end', '{"a":1}\n{"a":'],
    ['a list of numbers', '1\n2\n3'],
    ['a word', '"hello"'],
    ['nothing', ''],
    ['white space', ' \n '],
  ])('does not accept %s as JSON', (_, text) => {
    expect(read(text)).toBeUndefined();
  });

  it('does not accept JSON that is nested deeper than the maximum', () => {
    expect(read('['.repeat(10_000) + ']'.repeat(10_000))).toBe('document');
    expect(read('['.repeat(10_001) + ']'.repeat(10_001))).toBeUndefined();
  });
});
