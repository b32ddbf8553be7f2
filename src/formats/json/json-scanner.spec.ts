import fc from 'fast-check';
import { JsonScanner } from './json-scanner.js';

interface Found {
  readonly at: string;
  readonly kind: string;
  readonly text: string;
}

/** The results of the scanner for a document in pieces of these sizes; undefined if it refuses the document. */
function scan(document: string, ...sizes: number[]): Found[] | undefined {
  const bytes = Buffer.from(document);
  const found: Found[] = [];
  const scanner = new JsonScanner({
    value: (path, kind, start, end) =>
      void found.push({ at: path.join('/'), kind, text: bytes.toString('utf8', start, end) }),
  });
  let from = 0;
  for (let turn = 0; from < bytes.length; turn++) {
    const to = Math.min(bytes.length, from + (sizes[turn % sizes.length] ?? bytes.length));
    if (!scanner.push(bytes.subarray(from, to))) return undefined;
    from = to;
  }
  return scanner.isWhole ? found : undefined;
}

const BODY =
  String.raw`{ "created": 1790000000, "data":[{"b64_json":"QUJD\/w==","revised_prompt":"a \"b\" \\"},` +
  String.raw`{"b64_json":""}], "usage":{"input_tokens":-1.5e3,"x":null}, "none":[] }`;

describe('the byte ranges of the members of a JSON document', () => {
  it('are reported with the path of the member names', () => {
    expect(scan(BODY)).toEqual([
      { at: 'created', kind: 'scalar', text: '1790000000' },
      { at: 'data//b64_json', kind: 'string', text: String.raw`QUJD\/w==` },
      { at: 'data//revised_prompt', kind: 'string', text: String.raw`a \"b\" \\` },
      { at: 'data/', kind: 'container', text: String.raw`{"b64_json":"QUJD\/w==","revised_prompt":"a \"b\" \\"}` },
      { at: 'data//b64_json', kind: 'string', text: '' },
      { at: 'data/', kind: 'container', text: '{"b64_json":""}' },
      { at: 'data', kind: 'container', text: BODY.slice(BODY.indexOf('['), BODY.indexOf(']') + 1) },
      { at: 'usage/input_tokens', kind: 'scalar', text: '-1.5e3' },
      { at: 'usage/x', kind: 'scalar', text: 'null' },
      { at: 'usage', kind: 'container', text: '{"input_tokens":-1.5e3,"x":null}' },
      { at: 'none', kind: 'container', text: '[]' },
      { at: '', kind: 'container', text: BODY },
    ]);
  });

  it('are the same wherever the document is split', () => {
    const whole = scan(BODY);
    for (let size = 1; size < BODY.length; size++) expect(scan(BODY, size)).toEqual(whole);
    for (let first = 1; first < BODY.length; first++) expect(scan(BODY, first, BODY.length)).toEqual(whole);
  });

  it('are reported for any object, and only for texts that JSON.parse accepts', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 })),
        fc.nat(),
        fc.constantFrom('', ',', '}', '"', 'x', ']', '\\', ':', '1'),
        fc.integer({ min: 1, max: 9 }),
        (value, at, noise, size) => {
          const document = JSON.stringify(value);
          expect(scan(document, size)?.at(-1)).toEqual({ at: '', kind: 'container', text: document });
          const place = at % document.length;
          const spoiled = document.slice(0, place) + noise + document.slice(place);
          if (scan(spoiled, size) !== undefined && !/\\/.test(spoiled))
            expect(() => JSON.parse(spoiled) as unknown).not.toThrow();
        },
      ),
      { numRuns: 300 },
    );
  });

  it.each([
    '',
    '{',
    '[1]',
    '"x"',
    '1',
    '{"a":1',
    '{"a":1}}',
    '{"a":1}{',
    '{"a"}',
    '{"a":}',
    '{"a":1,}',
    '{,}',
    '{"a":[1,]}',
    '{"a":[1}',
    '{"a":01}',
    '{"a":tru}',
    '{"a":nulll}',
    "{'a':1}",
    '{"a" 1}',
    '{"a":1 "b":2}',
    '{1:2}',
    '{"a":"b}',
    '{"a":--1}',
    '{"a":"b"c}',
    '{"a":[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]}',
  ])('are not reported for a document that is refused: %s', (document) => {
    expect(scan(document)).toBeUndefined();
    expect(scan(document, 1)).toBeUndefined();
  });
});
