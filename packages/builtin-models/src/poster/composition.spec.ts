import sharp from 'sharp';
import { contrast } from './colour.ts';
import { compose, type Commission, type Progress } from './composition.ts';
import { MOODS } from './moods.ts';

const commission = (over: Partial<Commission>): Commission => ({
  prompt: 'sea',
  seed: '1',
  index: 0,
  width: 240,
  height: 300,
  transparent: false,
  detail: 1,
  pictures: [],
  ...over,
});

async function pixelsOf(made: Commission, progress: Progress): Promise<string[]> {
  const composition = compose(made);
  const { data } = await sharp(Buffer.from(composition.svg(progress)))
    .flatten({ background: composition.paper })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return Array.from({ length: data.length / 3 }, (_, i) => `#${data.subarray(i * 3, i * 3 + 3).toString('hex')}`);
}

/** The lowest contrast between the colour of the lettering and any pixel behind it. */
async function worstContrast(made: Commission): Promise<{ worst: number; covered: number }> {
  const before = await pixelsOf(made, 'figures');
  const after = await pixelsOf(made, 'whole');
  const changed = after.flatMap((colour, i) => (colour === before[i] ? [] : [i]));
  const counts = new Map<string, number>();
  for (const i of changed) counts.set(after[i] ?? '', (counts.get(after[i] ?? '') ?? 0) + 1);
  const ink = [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? '#000000';
  const covered = changed.filter((i) => after[i] === ink);
  return {
    worst: Math.min(...[...new Set(covered.map((i) => before[i] ?? ink))].map((ground) => contrast(ink, ground))),
    covered: covered.length,
  };
}

const PROMPTS = ['sea', 'mountains', 'forest house', 'city', 'desert', 'bauhaus', 'lighthouse boat'];
const WORDS = ['sunset', 'night', 'autumn', 'neon', 'dawn', 'fire', 'noir', 'yellow'];

describe('compose', () => {
  it.each(PROMPTS)('draws a readable title for the prompt %s in different moods', async (prompt) => {
    const weak: string[] = [];
    for (const [i, word] of WORDS.entries()) {
      const { worst, covered } = await worstContrast(
        commission({
          prompt: `${prompt} ${word}`,
          seed: String(i),
          ...(i % 3 === 2 ? { width: 300, height: 180 } : {}),
        }),
      );
      if (worst < 3 || covered < 60) weak.push(`${word}: ${worst.toFixed(2)} on ${covered} pixels`);
    }

    expect(weak).toEqual([]);
  });

  it.each([
    [64, 64],
    [64, 4096],
    [4096, 64],
    [65, 130],
    [2048, 512],
  ])('draws every motif at %i × %i', (width, height) => {
    for (const prompt of PROMPTS) {
      for (const seed of ['1', '2', '3']) {
        expect(compose(commission({ prompt, seed, width, height })).svg('whole')).toMatch(/^<svg .*<\/svg>$/);
      }
    }
  });

  it('stays below 12,000 shapes at the highest detail, in the narrowest frames and in the largest', () => {
    for (const prompt of PROMPTS) {
      for (const [width, height] of [
        [4096, 64],
        [64, 4096],
        [4096, 4096],
      ] as const) {
        const shapes =
          compose(commission({ prompt: `${prompt} rain`, width, height, detail: 1.6 }))
            .svg('whole')
            .match(/<(path|rect|circle|ellipse)/g)?.length ?? 0;
        expect(shapes).toBeLessThan(12_000);
      }
    }
  });

  it('draws a preview at another size with the same shapes', () => {
    const composition = compose(commission({}));

    expect(composition.svg('whole', { width: 24, height: 30 })).toBe(
      composition.svg('whole').replace('width="240" height="300"', 'width="24" height="30"'),
    );
  });

  it.each(PROMPTS)('draws no ground for %s if the background is transparent', async (prompt) => {
    const alphaOf = async (transparent: boolean): Promise<number> => {
      const { channels } = await sharp(Buffer.from(compose(commission({ prompt, transparent })).svg('ground')))
        .ensureAlpha()
        .stats();
      return channels[3]?.max ?? -1;
    };

    expect(await alphaOf(true)).toBe(0);
    expect(await alphaOf(false)).toBe(255);
  });

  it('has a different palette for each mood', () => {
    expect(new Set(Object.values(MOODS).map((m) => JSON.stringify(m))).size).toBe(Object.keys(MOODS).length);
  });
});
