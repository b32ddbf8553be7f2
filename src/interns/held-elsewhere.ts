/** Another replica runs the intern. The request must be relayed to it. */
export class HeldElsewhere extends Error {
  override name = 'HeldElsewhere';

  constructor(readonly replicaUrl: string) {
    super(`another replica holds the intern: ${replicaUrl}`);
  }
}

/** The intern is moving from one replica to another. Retry the request later. */
export class Moving extends Error {
  override name = 'Moving';

  constructor() {
    super('no replica runs the intern at present');
  }
}
