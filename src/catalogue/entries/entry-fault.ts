/** Invalid data in a catalogue file. `path` is its path from the top of the file. */
export class EntryFault extends Error {
  override name = 'EntryFault';

  constructor(
    readonly path: readonly (string | number)[],
    readonly problem: string,
  ) {
    super(`${path.join('.')} ${problem}`);
  }
}
