/** The target that the intern may not reach: a host (name or address), or a secret (name). */
export interface RefusedTarget {
  readonly kind: 'egress_host' | 'egress_secret';
  readonly name: string;
}

/** A request that the proxy does not forward; status and message are sent to the intern. */
export class EgressRefusal extends Error {
  override name = 'EgressRefusal';

  constructor(
    readonly status: number,
    message: string,
    /** Recorded in the audit trail. */
    readonly target?: RefusedTarget,
  ) {
    super(message);
  }
}
