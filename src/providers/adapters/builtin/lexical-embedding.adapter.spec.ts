import type { EmbeddingCall } from '../../ports/embedding-adapter.port.js';
import { LexicalEmbeddingAdapter } from './lexical-embedding.adapter.js';

const aCall = (fields: Partial<EmbeddingCall>): EmbeddingCall => ({
  provider: 'builtin',
  upstreamModel: 'lexical-embedding',
  credential: null,
  options: {},
  signal: new AbortController().signal,
  inputs: ['Hello world'],
  isSingle: true,
  ...fields,
});

describe('the adapter of the built-in embedding', () => {
  const adapter = new LexicalEmbeddingAdapter();

  it('accepts texts, token ids and parts of text', async () => {
    const { vectors, usage } = await adapter.embed(
      aCall({ inputs: ['Hello world', [1, 2, 3], [{ type: 'text', text: 'Hello world' }]] }),
    );
    expect(vectors.map(({ length }) => length)).toEqual([256, 256, 256]);
    expect(vectors[2]).toEqual(vectors[0]);
    expect(vectors[1]).not.toEqual(vectors[0]);
    expect(usage).toEqual({ prompt_tokens: 9, total_tokens: 9 });
  });

  it('returns as many dimensions as requested, up to 256', async () => {
    expect((await adapter.embed(aCall({ dimensions: 1 }))).vectors[0]).toHaveLength(1);
    expect((await adapter.embed(aCall({ dimensions: 256 }))).vectors[0]).toHaveLength(256);
    await expect(adapter.embed(aCall({ dimensions: 257 }))).rejects.toMatchObject({ kind: 'invalid_request' });
  });

  it('refuses pictures as inputs', async () => {
    const inputs = [[{ type: 'image', source: { url: 'https://example.com/a.png' } }]] as const;
    await expect(adapter.embed(aCall({ inputs }))).rejects.toMatchObject({ kind: 'invalid_request' });
  });
});
