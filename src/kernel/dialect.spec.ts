import { fromWire, toWire } from './dialect.js';

const TABLE = [
  ['awaiting_chat_install', 'awaiting_slack_install'],
  ['index-source', 'artificial-analysis'],
  ['arena-source', 'design-arena'],
  ['arena-elo-high-to-low', 'design-arena-elo-high-to-low'],
] as const;

describe('the terms of the two dialects (docs/api-rules.md, section 1)', () => {
  it.each(TABLE)('writes %s unchanged in the neutral dialect and as %s in the other dialect', (neutral, published) => {
    expect(toWire(neutral, 'neutral')).toBe(neutral);
    expect(toWire(neutral, 'openrouter')).toBe(published);
  });

  it.each(TABLE)('reads %s and %s as the same term', (neutral, published) => {
    expect(fromWire(published)).toBe(neutral);
    expect(fromWire(neutral)).toBe(neutral);
  });

  it('does not change any other term', () => {
    expect(toWire('running', 'openrouter')).toBe('running');
    expect(fromWire('running')).toBe('running');
  });
});
