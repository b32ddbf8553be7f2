export * from './eliza/eliza.ts';
export * from './flite/speech-workers.ts';
export { toSpokenPieces, type SpokenPiece } from './flite/spoken-text.ts';
export { MAX_TOKEN_IDS } from './lexical-embedding/character-features.ts';
export * from './lexical-embedding/lexical-embedding.ts';
export type { Picture } from './poster/collage.ts';
export { compose, type PosterComposition } from './poster/composition.ts';
export * from './poster/rasteriser.ts';
