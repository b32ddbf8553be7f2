import fc from 'fast-check';
import { TailBytes } from './tail-bytes.js';

describe('the last bytes of a stream', () => {
  it('are kept, wherever the stream is split', () => {
    fc.assert(
      fc.property(
        fc.array(fc.uint8Array({ maxLength: 30 }), { maxLength: 40 }),
        fc.integer({ min: 1, max: 12 }),
        (pieces, size) => {
          const tail = new TailBytes(size);
          for (const piece of pieces) tail.push(piece);
          const all = Buffer.concat(pieces);
          expect(all.subarray(-size).equals(tail.bytes.subarray(-size))).toBe(true);
          expect(all.subarray(-tail.bytes.length || all.length).equals(tail.bytes)).toBe(true);
          expect(tail.bytes.length).toBeLessThanOrEqual(3 * size);
        },
      ),
    );
  });
});
