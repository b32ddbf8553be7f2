/**
 * The target that was refused to an intern: a host (its name or address), or a secret for a host (`<secret>@<host>`).
 */
export interface RefusedTarget {
  readonly kind: 'egress_host' | 'egress_secret';
  readonly name: string;
}

/** The proxy does not forward a request. The status and the message are sent to the intern. */
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
