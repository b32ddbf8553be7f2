declare module 'bidi-js' {
  interface Bidi {
    /** Returns the UAX #9 level of each UTF-16 unit, and the base level of each paragraph. */
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
