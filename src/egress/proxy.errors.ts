/** A request that the proxy does not pass on; the status and the sentence go back to the intern. */
export class EgressRefusal extends Error {
  override name = 'EgressRefusal';

  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}
