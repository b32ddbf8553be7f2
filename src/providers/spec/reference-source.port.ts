import type { ReferenceImage } from './image-adapter.port.js';

/** Fetches the pictures that a request names by address. */
export abstract class ReferenceSource {
  /**
   * The pictures at these http(s) URLs, in their order. Throws invalid_request, whose message speaks of the entry by the name
   * that `nameOf` gives its index, for one that is not public, not a picture, too large or not to be had.
   */
  abstract fetchAll(
    urls: readonly string[],
    nameOf: (index: number) => string,
    signal: AbortSignal,
  ): Promise<ReferenceImage[]>;
}
