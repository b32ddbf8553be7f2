/** Another replica holds the intern: the request is to be relayed to it. */
export class HeldElsewhere extends Error {
  override name = 'HeldElsewhere';

  constructor(readonly replicaUrl: string) {
    super(`another replica holds the intern: ${replicaUrl}`);
  }
}
