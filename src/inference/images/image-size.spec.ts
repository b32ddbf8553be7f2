import { nearestRatio, resolveSize } from './image-size.js';

describe('size, resolution and aspect_ratio', () => {
  it('a tier as size is the same as a resolution, and combines with aspect_ratio', () => {
    expect(resolveSize({ size: '2K', aspectRatio: '16:9' })).toEqual({ resolution: '2K', aspectRatio: '16:9' });
    expect(resolveSize({ size: '2K', resolution: '2K' })).toEqual({ resolution: '2K', aspectRatio: undefined });
  });

  it('a tier with a different resolution is refused', () => {
    expect(() => resolveSize({ size: '2K', resolution: '4K' })).toThrow('conflicts with resolution 4K');
  });

  it('explicit pixels are authoritative', () => {
    expect(resolveSize({ size: '640x480' }).explicit).toEqual({ width: 640, height: 480 });
  });

  it.each([
    [{ size: '1024x1024', resolution: '1K' }, true],
    [{ size: '1024x1024', aspectRatio: '1:1' }, true],
    [{ size: '1024x1024', aspectRatio: 'auto' }, true],
    [{ size: '1920x1080', aspectRatio: '16:9' }, true],
    [{ size: '1024x1024', resolution: '1K', aspectRatio: '1:1' }, true],
    [{ size: '1024x1024', resolution: '2K' }, false],
    [{ size: '1024x1024', aspectRatio: '16:9' }, false],
    [{ size: '1024x1024', resolution: '1K', aspectRatio: '16:9' }, false],
    [{ size: '1024x1024', resolution: '4K', aspectRatio: 'auto' }, false],
  ] as const)('%j agrees: %p', (requested, agrees) => {
    if (agrees) expect(resolveSize(requested).explicit).toBeDefined();
    else expect(() => resolveSize(requested)).toThrow('conflicts');
  });

  it.each([
    '',
    '1k',
    '3K',
    '1024',
    '1024X768',
    '1024x',
    'x768',
    '-1x5',
    '1024x768x3',
    '0x64',
    '64x0',
    '1e3x1e3',
    ' 1024x768',
  ])('refuses %p as a size', (size) => {
    expect(() => resolveSize({ size })).toThrow(/^size must/);
  });

  it('clamps a ratio to the nearest of a supported subset', () => {
    expect(nearestRatio('21:9', ['1:1', '16:9', '9:16'])).toBe('16:9');
    expect(nearestRatio('1:8', ['1:1', '16:9', '9:16'])).toBe('9:16');
    expect(nearestRatio('auto', ['1:1'])).toBeUndefined();
  });
});
