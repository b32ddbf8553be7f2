import type { ReferenceImage } from './image-adapter.port.js';

/** What a URL must lead to: a picture, or a document (PDF). */
export type ReferenceKind = 'picture' | 'document';

/** Fetches what a request names by URL. */
export abstract class ReferenceSource {
  /**
   * Fetches http(s) URLs; returns their contents in their order. Throws invalid_request for one that is not public, not
   * of its kind, too large or unreachable; `nameOf` returns the name of the entry for its message. Every entry is a
   * picture unless `kindOf` says otherwise.
   */
  abstract fetchAll(
    urls: readonly string[],
    nameOf: (index: number) => string,
    signal: AbortSignal,
    kindOf?: (index: number) => ReferenceKind,
  ): Promise<ReferenceImage[]>;
}
