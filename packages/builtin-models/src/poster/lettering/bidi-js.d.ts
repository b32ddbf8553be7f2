declare module 'bidi-js' {
  interface Bidi {
    /** UAX #9 levels, one per UTF-16 unit, and the paragraphs' own level. */
    getEmbeddingLevels(
      text: string,
      direction?: 'ltr' | 'rtl' | 'auto',
    ): { levels: Uint8Array; paragraphs: { start: number; end: number; level: number }[] };
    /** The mirrored counterpart of a bracket, or null. */
    getMirroredCharacter(character: string): string | null;
  }
  function bidiFactory(): Bidi;
  export { bidiFactory as default };
}
