import type { Agent } from 'node:https';

/** A tunnel that the proxy opens up, because its host is bound to a secret of the intern. */
export interface Tunnel {
  readonly internId: string;
  /** The host that CONNECT named. Everything inside must name the same. */
  readonly host: string;
  /** Its own connections to the host, which no other tunnel uses. */
  readonly agent: Agent;
}
