import fc from 'fast-check';
import { MAX_TEXT_CHARACTERS, textFeatures, tokenFeatures } from './character-features.ts';
import { cosine, embed, embeddingTokens, MAX_DIMENSIONS, type LexicalInput } from './lexical-embedding.ts';

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.string({ unit: fc.nat(0xffff).map((unit) => String.fromCharCode(unit)) }),
  fc.lorem({ maxCount: 30 }),
);
const anyInput: fc.Arbitrary<LexicalInput> = fc.oneof(anyText, fc.array(fc.oneof(fc.nat(200_000), fc.double())));
const lengthOf = (vector: Float32Array): number => Math.hypot(...vector);

describe('a vector', () => {
  it('is the same for the same input, and has length 1 and the requested number of dimensions', () => {
    fc.assert(
      fc.property(anyInput, fc.integer({ min: 1, max: MAX_DIMENSIONS }), (input, dimensions) => {
        const vector = embed(input, dimensions);
        expect(vector).toHaveLength(dimensions);
        expect(lengthOf(vector)).toBeCloseTo(1, 5);
        expect(embed(input, dimensions)).toEqual(vector);
      }),
    );
  });

  it('has 256 dimensions, or fewer if requested, but at least 1', () => {
    expect(embed('cat')).toHaveLength(256);
    expect([0, -5, NaN, 1.9, 257, Infinity].map((dimensions) => embed('cat', dimensions).length)).toEqual([
      1, 1, 1, 1, 256, 256,
    ]);
  });

  it('of fewer dimensions is the folded vector of 256 dimensions', () => {
    const whole = embed('The quick brown fox');
    const folded = new Float64Array(64);
    whole.forEach((value, at) => (folded[at % 64] = (folded[at % 64] ?? 0) + value));
    const norm = Math.hypot(...folded);
    embed('The quick brown fox', 64).forEach((value, at) => expect(value).toBeCloseTo((folded[at] ?? 0) / norm, 5));
  });

  it('does not depend on case, on composition of accents, or on white space', () => {
    const vector = embed('the café is open');
    expect(embed('  The CAFE\u0301\n\tis   Open ')).toEqual(vector);
    expect(embed('the cafe is open')).not.toEqual(vector);
  });

  it('keeps its values between versions of the service', () => {
    const vector = embed('hello world', 8);
    expect([...vector].map((value) => Math.round(value * 1e4))).toEqual([0, 4160, 6934, 0, 2774, 1387, -4160, 2774]);
  });

  it('of an input without features is the first unit vector', () => {
    for (const input of ['', ' \n', []]) expect([...embed(input, 3)]).toEqual([1, 0, 0]);
  });

  it('of token ids depends on the ids, and slightly on their order', () => {
    const vector = embed([15339, 1917, 11]);
    expect(cosine(vector, embed([15339, 1917, 11]))).toBeCloseTo(1, 5);
    expect(cosine(vector, embed([1917, 15339, 11]))).toBeGreaterThan(cosine(vector, embed([1917, 42, 43])));
    expect(Math.abs(cosine(vector, embed([7, 8, 9])))).toBeLessThan(0.3);
  });

  it('distinguishes texts in scripts without spaces', () => {
    const query = embed('我喜欢喝绿茶');
    expect(cosine(query, embed('我很喜欢绿茶'))).toBeGreaterThan(0.4);
    expect(cosine(query, embed('火车明天早上出发'))).toBeLessThan(0.3);
  });
});

describe('the number of features of an input', () => {
  const featuresOf = (text: string): number => {
    let count = 0;
    textFeatures(text, () => void count++);
    return count;
  };

  it('is linear in the characters', () => {
    fc.assert(fc.property(anyText, (text) => featuresOf(text) <= 4 * text.normalize('NFC').length));
    for (const unit of ['a', 'ab ', '我', '!', '🙂', 'e\u0301', '\ufdfa']) {
      expect(featuresOf(unit.repeat(1_000))).toBeLessThanOrEqual(4 * 1_000 * unit.length);
    }
  });

  it('is bounded for any input', () => {
    expect(featuresOf('a'.repeat(1e6))).toBeLessThanOrEqual(4 * MAX_TEXT_CHARACTERS);
    let count = 0;
    tokenFeatures(
      Array.from({ length: 1e5 }, () => 7),
      () => void count++,
    );
    expect(count).toBeLessThanOrEqual(2 * 8_192);
  });
});

describe('usage', () => {
  it('counts four bytes of UTF-8 as a token, rounded up, and each id as a token', () => {
    expect(['', 'abcd', 'abcde', 'ééé'].map(embeddingTokens)).toEqual([0, 1, 2, 2]);
    expect(embeddingTokens([1, 2, 3])).toBe(3);
  });
});

describe('the similarity of documents to a query', () => {
  const similarities = (query: string, texts: readonly string[]): number[] =>
    texts.map((text) => cosine(embed(query), embed(text)));
  const documents = [
    'Invoices are sent on the first day of each month.',
    'To reset your password, open the settings and choose "Forgot password".',
    'The office is closed on public holidays.',
    'Passwords must have at least twelve characters.',
  ];

  it('is highest for the document that has the words of the query', () => {
    const scores = similarities('How do I reset my password?', documents);
    expect(scores.indexOf(Math.max(...scores))).toBe(1);
    expect(scores[3]).toBeGreaterThan(scores[2] ?? 1);
  });

  it('is 1 for the query itself, and between −1 and 1 for any document', () => {
    expect(similarities('holidays', ['holidays'])[0]).toBeCloseTo(1, 5);
    fc.assert(fc.property(anyText, anyText, (a, b) => similarities(a, [b]).every((score) => Math.abs(score) <= 1)));
  });
});
