import type { Agent } from 'node:http';

/** A tunnel that the proxy opens, because a secret of the intern is, or was, bound to its host. */
export interface Tunnel {
  readonly internId: string;
  /** The host of CONNECT. Every request inside the tunnel must name the same host. */
  readonly host: string;
  /** Whether TLS is used inside; without it no secret is filled in. */
  readonly isSecure: boolean;
  /** The connections to the host, which no other tunnel uses. */
  readonly agent: Agent;
}
