import { readOpenRouter } from './openrouter.format.js';

const idsOf = (listed: readonly string[], known: readonly string[]): string[] =>
  readOpenRouter({ data: listed.map((id) => ({ id })) }, known).models.map(({ id }) => id);

describe('an import of the published listing', () => {
  const known = ['anthropic/claude-sonnet-4-5', 'xai/grok-4.3', 'minimax/MiniMax-M2'];

  it('replaces ids that differ from known models only in the spelling', () => {
    expect(idsOf(['anthropic/claude-sonnet-4.5', 'x-ai/grok-4.3', 'minimax/minimax-m2'], known)).toEqual(known);
  });

  it('keeps known ids, and ids that no model has in any spelling', () => {
    const listed = ['xai/grok-4.3', 'openai/gpt-5-chat', '~anthropic/claude-opus-latest'];
    expect(idsOf(listed, known)).toEqual(listed);
  });

  it('keeps an id in another spelling if the listing also has the known id', () => {
    const listed = ['anthropic/claude-sonnet-4.5', 'anthropic/claude-sonnet-4-5'];
    expect(idsOf(listed, known)).toEqual(listed);
  });
});
