import { nearestRatio, resolveSize } from './image-size.js';

describe('the size of an image', () => {
  it('may be a tier, which is the same as a resolution and can be combined with aspect_ratio', () => {
    expect(resolveSize({ size: '2K', aspectRatio: '16:9' })).toEqual({ resolution: '2K', aspectRatio: '16:9' });
    expect(resolveSize({ size: '2K', resolution: '2K' })).toEqual({ resolution: '2K', aspectRatio: undefined });
  });

  it('is refused if it is a tier that differs from the resolution', () => {
    expect(() => resolveSize({ size: '2K', resolution: '4K' })).toThrow('conflicts with resolution 4K');
  });

  it('is used exactly if it is given in pixels', () => {
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
  ] as const)('agrees with the other members in %j: %p', (requested, agrees) => {
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
  ])('may not be %p', (size) => {
    expect(() => resolveSize({ size })).toThrow(/^size must/);
  });

  it('has the supported aspect ratio that is nearest to the requested ratio', () => {
    expect(nearestRatio('21:9', ['1:1', '16:9', '9:16'])).toBe('16:9');
    expect(nearestRatio('1:8', ['1:1', '16:9', '9:16'])).toBe('9:16');
    expect(nearestRatio('auto', ['1:1'])).toBeUndefined();
  });
});
