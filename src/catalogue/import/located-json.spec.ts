import fc from 'fast-check';
import { lineOf, parseJson } from './located-json.js';

describe('the JSON parser that reports lines', () => {
  it.each([
    ['{\n"a": }', 2],
    ['{\n"a": 1,\n}', 3],
    ['[1,\n2\n3]', 3],
    ['{"a": "x\ny"}', 1],
    ['[\n\n"abc', 3],
    ['{"a": [1, 2}\n', 1],
    ['', 1],
    ['\n\nnothing', 3],
    ['[1]\n]', 2],
    ['[01]', 1],
    ["{\n'a': 1}", 2],
    ['{"a"\n"b"}', 2],
  ])('refuses %j at line %d', (text, line) => {
    expect(() => parseJson(text)).toThrow(
      expect.objectContaining({ line, message: expect.stringMatching(/is not valid JSON/) }),
    );
  });

  it('names a line of the text for anything that is not JSON', () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(), fc.constantFrom('', '}', ']', ',', '"', 'x', ':'), (text, at, junk) => {
        const place = at % (text.length + 1);
        const broken = `${text.slice(0, place)}${junk}${text.slice(place + (junk === '' ? 1 : 0))}`;
        try {
          expect(parseJson(broken)).toEqual(JSON.parse(broken));
        } catch (error) {
          expect(() => JSON.parse(broken) as unknown).toThrow(SyntaxError);
          expect((error as { line: number }).line).toBeLessThanOrEqual(broken.split('\n').length);
        }
      }),
    );
  });

  it('finds the line of every value by its path', () => {
    const text = '{\n "a": [\n  1,\n  {"b": "]}\\"",\n   "c": null}\n ],\n "d": {}\n}';
    expect(
      [[], ['a'], ['a', 0], ['a', 1], ['a', 1, 'b'], ['a', 1, 'c'], ['d'], ['a', 1, 'missing'], ['nothing']].map(
        (path) => lineOf(text, path),
      ),
    ).toEqual([1, 2, 3, 4, 4, 5, 7, 4, 1]);
  });
});
