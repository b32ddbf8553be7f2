import { pipeline, type Duplex, type Transform } from 'node:stream';

/**
 * Passes bytes in both directions between an intern and a host. From the intern to the host, uses `pipe` instead of a
 * pipeline. A pipeline would destroy the intern's side as soon as the host closes, so that bytes that are still in
 * `masks` would be lost.
 */
export function joinStreams(inner: Duplex, outer: Duplex, masks: readonly Transform[] = []): void {
  // Every joined stream adds two listeners per event.
  for (const stream of [inner, outer]) stream.setMaxListeners(30);
  pipeline([outer, ...masks, inner], () => inner.resume());
  inner.pipe(outer);
  outer.on('error', () => undefined);
  inner.once('close', () => outer.destroy());
}
