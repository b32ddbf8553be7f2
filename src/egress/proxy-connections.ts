import type { Duplex, Stream } from 'node:stream';
import type { EgressPass } from './egress-passes.js';
import { EgressRefusal } from './proxy.errors.js';

/**
 * Maximum number of open connections and requests of one boot of an intern. An agent uses eight connections to this
 * service, and one for each request of a tool.
 */
export const MAX_OPEN_PER_PASS = 256;
/** Maximum number of connections that have sent no credentials yet. Clients send credentials with their first bytes. */
export const MAX_UNKNOWN_CONNECTIONS = 512;

/**
 * The connections of interns to the proxy. Their number is limited, because a program of an intern may open any number
 * of them, and each uses a file descriptor of this service.
 */
export class ProxyConnections {
  readonly #all = new Set<Duplex>();
  /** In the order of their arrival. */
  readonly #unknown = new Set<Duplex>();
  readonly #known = new WeakSet<Duplex>();
  readonly #counts = new WeakMap<EgressPass, number>();

  add(socket: Duplex): void {
    this.#all.add(socket);
    this.#unknown.add(socket);
    socket.once('close', () => {
      this.#all.delete(socket);
      this.#unknown.delete(socket);
    });
    // Closes the oldest connection without credentials, so that a flood of such connections does not block other
    // clients.
    if (this.#unknown.size > MAX_UNKNOWN_CONNECTIONS) this.#unknown.values().next().value!.destroy();
  }

  /**
   * Counts a connection from its first request until it closes, and each request until its response closes, because a
   * client may send several requests without waiting. Throws an EgressRefusal if the sum for the boot exceeds the
   * maximum.
   */
  admit(pass: EgressPass, socket: Duplex, response?: Stream): void {
    if (!this.#known.has(socket)) {
      this.#count(pass, socket);
      this.#known.add(socket);
      this.#unknown.delete(socket);
    }
    if (response) this.#count(pass, response);
  }

  destroyAll(): void {
    for (const socket of this.#all) socket.destroy();
  }

  #count(pass: EgressPass, open: Stream): void {
    const count = this.#counts.get(pass) ?? 0;
    if (count >= MAX_OPEN_PER_PASS)
      throw new EgressRefusal(
        503,
        `This intern has ${MAX_OPEN_PER_PASS} connections and requests open: end some first`,
      );
    this.#counts.set(pass, count + 1);
    open.once('close', () => this.#counts.set(pass, this.#counts.get(pass)! - 1));
  }
}
