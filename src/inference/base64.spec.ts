import fc from 'fast-check';
import { decodeBase64 } from './base64.js';

/** The texts that the API accepts as base64. */
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

function decoded(text: string, step: number): Buffer | undefined {
  const decoding = decodeBase64(text, step);
  for (;;) {
    const { done, value } = decoding.next();
    if (done) return value;
  }
}

const character = fc.oneof(
  { weight: 20, arbitrary: fc.constantFrom(...'ABCDwxyz0189+/') },
  { weight: 1, arbitrary: fc.constantFrom('=', '-', '_', ' ', '\n', '!', 'é', '一', '\0') },
);

describe('base64', () => {
  it('is decoded to the bytes that were encoded, in steps of any size', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 1, maxLength: 300 }),
        fc.constantFrom(4, 8, 64, 1_048_576),
        fc.boolean(),
        (bytes, step, isPadded) => {
          const text = Buffer.from(bytes).toString('base64');
          expect(decoded(isPadded ? text : text.replaceAll('=', ''), step)).toEqual(Buffer.from(bytes));
        },
      ),
    );
  });

  it('is accepted only if it consists of letters, digits, + and /, with at most two = at the end', () => {
    let refused = 0;
    fc.assert(
      fc.property(
        fc.string({ unit: character, maxLength: 60 }),
        fc.constantFrom(4, 12, 1_048_576),
        fc.constantFrom('', '=', '==', '==='),
        (start, step, end) => {
          const text = start + end;
          const bytes = decoded(text, step);
          if (!bytes) refused++;
          expect([text, bytes !== undefined]).toEqual([
            text,
            BASE64.test(text) && text.replace(/=+$/, '').length % 4 !== 1,
          ]);
        },
      ),
      { numRuns: 10_000 },
    );
    expect(refused).toBeGreaterThan(500);
  });
});
