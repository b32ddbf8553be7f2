import { createHash } from 'node:crypto';

/**
 * A seeded random number generator (sfc32, seeded by SHA-256). Streams are forked by label, so that drawing more shapes
 * of one kind does not change the numbers of another kind. A composition is therefore the same at every quality and
 * size.
 */
export class Prng {
  private a: number;
  private b: number;
  private c: number;
  private d: number;

  private readonly digest: Buffer;

  private constructor(digest: Buffer) {
    this.digest = digest;
    this.a = digest.readUInt32LE(0);
    this.b = digest.readUInt32LE(4);
    this.c = digest.readUInt32LE(8);
    this.d = digest.readUInt32LE(12);
  }

  /** Hashes UTF-16 code units, because UTF-8 would map all lone surrogates to one character. */
  static of(seed: string, prompt: string, index: number): Prng {
    const hash = createHash('sha256').update(`${seed}\n${index}\n`, 'utf8').update(Buffer.from(prompt, 'utf16le'));
    return new Prng(hash.digest());
  }

  fork(label: string): Prng {
    return new Prng(createHash('sha256').update(this.digest).update(label, 'utf8').digest());
  }

  /** A number from 0 (inclusive) to 1 (exclusive) with 32 random bits. */
  next(): number {
    const t = (((this.a + this.b) | 0) + this.d) | 0;
    this.d = (this.d + 1) | 0;
    this.a = this.b ^ (this.b >>> 9);
    this.b = (this.c + (this.c << 3)) | 0;
    this.c = (this.c << 21) | (this.c >>> 11);
    this.c = (this.c + t) | 0;
    return (t >>> 0) / 4294967296;
  }

  range(from: number, to: number): number {
    return from + (to - from) * this.next();
  }

  /** Both ends are inclusive. */
  int(from: number, to: number): number {
    return from + Math.floor(this.next() * (to - from + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(items: readonly T[]): T {
    const item = items[Math.floor(this.next() * items.length)];
    if (item === undefined) throw new Error('cannot pick from an empty list');
    return item;
  }

  shuffle<T>(items: readonly T[]): T[] {
    const out = [...items];
    for (let i = out.length - 1; i > 0; i--) {
      const j = this.int(0, i);
      [out[i], out[j]] = [out[j] as T, out[i] as T];
    }
    return out;
  }
}
