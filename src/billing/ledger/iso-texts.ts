const MAX_CACHED_TIMES = 64;

/** Memoises toISOString(), which took most of the time of serialisation. A batch has few different times. */
export class IsoTexts {
  readonly #texts = new Map<number, string>();

  of(time: Date): string {
    const ms = time.getTime();
    let text = this.#texts.get(ms);
    if (text === undefined) {
      if (this.#texts.size >= MAX_CACHED_TIMES) this.#texts.clear();
      this.#texts.set(ms, (text = time.toISOString()));
    }
    return text;
  }
}
