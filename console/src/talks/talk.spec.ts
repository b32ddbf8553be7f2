import { bounded, type Said } from './talk';

const you = (text: string): Said => ({ by: 'you', text });

describe('a conversation that is kept', () => {
  it('has its newest 200 entries', () => {
    const said = Array.from({ length: 250 }, (_, at) => you(String(at)));
    const kept = bounded({ said, question: null }).said;
    expect([kept.length, kept[0], kept.at(-1)]).toEqual([200, you('50'), you('249')]);
  });

  it('has at most 100,000 characters', () => {
    const said = Array.from({ length: 9 }, () => you('x'.repeat(30_000)));
    expect(bounded({ said, question: null }).said).toHaveLength(3);
    expect(bounded({ said: [you('x'.repeat(200_000))], question: null }).said).toEqual([]);
  });
});
