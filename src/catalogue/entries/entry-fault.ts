/** Something in a catalogue file is not as it must be. `path` leads to it from the top of the file. */
export class EntryFault extends Error {
  override name = 'EntryFault';

  constructor(
    readonly path: readonly (string | number)[],
    readonly problem: string,
  ) {
    super(`${path.join('.')} ${problem}`);
  }
}
