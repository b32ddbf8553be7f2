import { embed, embeddingTokens, MAX_DIMENSIONS, type LexicalInput } from '@gatehouse/builtin-models';
import { invalidRequest } from '../../../kernel/errors/errors.js';
import {
  EmbeddingAdapter,
  type EmbeddingCall,
  type EmbeddingInput,
  type EmbeddingResponse,
} from '../../ports/embedding-adapter.port.js';

/** The built-in embedding (lexical-embedding.ts). */
export class LexicalEmbeddingAdapter extends EmbeddingAdapter {
  readonly name = 'builtin-lexical-embedding';

  async embed({ inputs, dimensions, signal }: EmbeddingCall): Promise<EmbeddingResponse> {
    if (dimensions !== undefined && dimensions > MAX_DIMENSIONS)
      throw invalidRequest(`dimensions must be at most ${MAX_DIMENSIONS} for this model.`);
    const texts = inputs.map(lexicalInput);
    const vectors: number[][] = [];
    for (const text of texts) {
      signal.throwIfAborted();
      vectors.push(Array.from(embed(text, dimensions)));
    }
    const tokens = texts.reduce((sum, text) => sum + embeddingTokens(text), 0);
    return { vectors, usage: { prompt_tokens: tokens, total_tokens: tokens } };
  }
}

function lexicalInput(input: EmbeddingInput): LexicalInput {
  if (typeof input === 'string' || input.length === 0) return input as LexicalInput;
  if (typeof input[0] === 'number') return input as readonly number[];
  return (input as Exclude<EmbeddingInput, string | readonly number[]>)
    .map((part) => {
      if (part.type !== 'text') throw invalidRequest('input must be text or token ids for this model.');
      return part.text;
    })
    .join('\n');
}
