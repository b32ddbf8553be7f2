import type { ImageCall } from '../../ports/image-adapter.port.js';

/** A small image call; `over` overrides its members. */
export function anImageCall(over: Partial<ImageCall> = {}): ImageCall {
  return {
    upstreamModel: 'poster',
    provider: 'builtin',
    credential: null,
    options: {},
    signal: new AbortController().signal,
    prompt: 'a lighthouse by the sea',
    n: 1,
    width: 192,
    height: 240,
    seed: 7,
    references: [],
    ...over,
  };
}
