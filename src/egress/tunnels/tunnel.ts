import type { Agent } from 'node:http';

/** A tunnel that the proxy opens, because a secret of the intern is, or was, bound to its host. */
export interface Tunnel {
  readonly internId: string;
  /** The host of CONNECT. Every request inside the tunnel must name the same host. */
  readonly host: string;
  /** Whether TLS is used inside. Without TLS, secrets are never filled in. */
  readonly isSecure: boolean;
  /** The connections to the host, used by this tunnel only. */
  readonly agent: Agent;
}
