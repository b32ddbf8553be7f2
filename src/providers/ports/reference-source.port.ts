import type { ReferenceImage } from './image-adapter.port.js';

/** The kind of content that a URL must have: a picture, or a document (PDF). */
export type ReferenceKind = 'picture' | 'document';

/** Fetches the URLs in a request. */
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
