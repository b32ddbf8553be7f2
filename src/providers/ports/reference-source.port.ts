import type { ReferenceImage } from './image-adapter.port.js';

/** The kind of content that a URL must have: a picture, or a document (PDF). */
export type ReferenceKind = 'picture' | 'document';

/** Fetches the URLs in a request. */
export abstract class ReferenceSource {
  /**
   * Fetches http(s) URLs; returns their contents in their order. Throws invalid_request if a URL is not public or not
   * reachable, or if its content is too large or of another kind. `nameOf` returns the name of an entry for the error
   * message. `kindOf` returns the required kind of an entry; absent = every entry must be a picture.
   */
  abstract fetchAll(
    urls: readonly string[],
    nameOf: (index: number) => string,
    signal: AbortSignal,
    kindOf?: (index: number) => ReferenceKind,
  ): Promise<ReferenceImage[]>;
}
