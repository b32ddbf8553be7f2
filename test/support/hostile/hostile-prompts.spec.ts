import { hostilePrompts } from './hostile-prompts.js';

describe('the hostile prompts', () => {
  it('are at least 200 distinct texts, none of them empty', () => {
    const all = [...hostilePrompts()];

    expect(new Set(all).size).toBe(all.length);
    expect(all.length).toBeGreaterThanOrEqual(200);
    expect(all.every((text) => text.length > 0)).toBe(true);
  });

  it('have up to 100,000 characters', () => {
    expect(Math.max(...[...hostilePrompts()].map((text) => text.length))).toBe(100_000);
  });
});
