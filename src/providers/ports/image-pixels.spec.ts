import { GatewayError } from '../../kernel/errors/errors.js';
import { ASPECT_RATIOS, derivePixels, RESOLUTIONS } from './image-pixels.js';

const WHOLE: Record<string, [number, number]> = { auto: [1, 1], '9:19.5': [18, 39], '19.5:9': [39, 18] };
const ratioOf = (name: string): [number, number] => WHOLE[name] ?? (name.split(':').map(Number) as [number, number]);

describe('derivePixels', () => {
  it('has every aspect ratio and tier of the specification', () => {
    expect([...ASPECT_RATIOS].sort()).toEqual(
      [
        '1:1',
        '1:2',
        '1:4',
        '1:8',
        '2:1',
        '2:3',
        '3:2',
        '3:4',
        '4:1',
        '4:3',
        '4:5',
        '5:4',
        '8:1',
        '9:16',
        '16:9',
        '9:19.5',
        '19.5:9',
        '9:20',
        '20:9',
        '9:21',
        '21:9',
        'auto',
      ].sort(),
    );
    expect(RESOLUTIONS).toEqual(['512', '1K', '2K', '4K']);
  });

  it.each([
    ['512', '1:1', 512, 512],
    ['1K', '1:1', 1024, 1024],
    ['2K', 'auto', 2048, 2048],
    ['4K', '1:1', 4096, 4096],
    ['1K', '16:9', 1408, 792],
    ['1K', '9:16', 792, 1408],
    ['1K', '3:2', 1248, 832],
    ['4K', '16:9', 4096, 2304],
    ['512', '1:8', 184, 1472],
    ['4K', '8:1', 4096, 512],
    ['1K', '9:19.5', 672, 1456],
  ])('returns for %s and %s the size %i × %i', (resolution, ratio, width, height) => {
    expect(derivePixels(resolution, ratio)).toEqual({ width, height });
  });

  describe.each([...RESOLUTIONS])('at %s', (resolution) => {
    it.each([...ASPECT_RATIOS])('gives %s exactly, in multiples of 8 between 64 and 4096', (name) => {
      const { width, height } = derivePixels(resolution, name);
      const [w, h] = ratioOf(name);

      expect(width * h).toBe(height * w);
      for (const side of [width, height]) {
        expect(side % 8).toBe(0);
        expect(side).toBeGreaterThanOrEqual(64);
        expect(side).toBeLessThanOrEqual(4096);
      }
    });

    it.each([...ASPECT_RATIOS])('has about the area of the tier for %s, unless a side would exceed 4096', (name) => {
      const { width, height } = derivePixels(resolution, name);
      const tier = { '512': 512, '1K': 1024, '2K': 2048, '4K': 4096 }[resolution] as number;
      const share = (width * height) / tier ** 2;
      const [w, h] = ratioOf(name);
      const longest = tier * Math.sqrt(Math.max(w, h) / Math.min(w, h));

      if (longest > 4096) expect(Math.max(width, height)).toBeGreaterThan(4096 * 0.95);
      else expect(share).toBeGreaterThan(0.65);
      expect(share).toBeLessThan(1.25);
    });
  });

  it.each([
    ['8K', '1:1'],
    ['1k', '1:1'],
    ['toString', '1:1'],
    ['1K', '5:9'],
    ['1K', '__proto__'],
    ['1K', ''],
  ])('refuses %s with %s as an invalid request', (resolution, ratio) => {
    expect(() => derivePixels(resolution, ratio)).toThrow(GatewayError);
    expect(() => derivePixels(resolution, ratio)).toThrow(expect.objectContaining({ kind: 'invalid_request' }));
  });
});
