import { cosine, embed, embeddingTokens } from '@gatehouse/builtin-models';
import { inSlices } from '../../../kernel/scheduling/slices.js';
import {
  RerankAdapter,
  type RankedDocument,
  type RerankCall,
  type VendorRanking,
} from '../../ports/rerank-adapter.port.js';

/** Ranks by the built-in embedding: the cosine of the vectors of the query and of each document. */
export class LexicalRerankAdapter extends RerankAdapter {
  readonly name = 'builtin-lexical-embedding';

  async rerank({ query, documents, topN, signal }: RerankCall): Promise<VendorRanking> {
    const ranked = await inSlices(scores(query, documents, signal));
    const tokens = documents.reduce((sum, document) => sum + embeddingTokens(document), embeddingTokens(query));
    return {
      results: ranked.toSorted((a, b) => b.score - a.score || a.index - b.index).slice(0, topN),
      usage: { promptTokens: tokens, completionTokens: 0 },
    };
  }
}

/** Yields after each document, so that other work can run. */
function* scores(
  query: string,
  documents: readonly string[],
  signal: AbortSignal,
): Generator<void, RankedDocument[], void> {
  const wanted = embed(query);
  const ranked: RankedDocument[] = [];
  for (const [index, document] of documents.entries()) {
    signal.throwIfAborted();
    ranked.push({ index, score: cosine(wanted, embed(document)) });
    yield;
  }
  return ranked;
}
