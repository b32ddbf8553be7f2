import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** The code of a cancel request. Other first messages have the protocol version in its place. */
const CANCEL_REQUEST = 80_877_102;

/**
 * A TCP proxy on loopback that simulates network faults. `blackHole` accepts connections and bytes but delivers
 * nothing. `refuse` stops listening and resets open connections. `strand` drops open connections silently. `forward`
 * ends a fault. `loseCancels` drops the cancel requests of PostgreSQL clients.
 */
export class TcpProxy {
  readonly #pairs = new Set<readonly [Socket, Socket | undefined]>();
  #server: Server | undefined;
  #isBlackHole = false;
  #losesCancels = false;

  private constructor(
    private readonly host: string,
    private readonly port: number,
    /** The port on 127.0.0.1. */
    readonly ownPort: number,
  ) {}

  static async start(host: string, port: number): Promise<TcpProxy> {
    const probe = createServer().listen(0, '127.0.0.1');
    await once(probe, 'listening');
    const { port: ownPort } = probe.address() as AddressInfo;
    probe.close();
    await once(probe, 'close');
    const proxy = new TcpProxy(host, port, ownPort);
    await proxy.forward();
    return proxy;
  }

  /** Starts a proxy in front of the address in a URL. */
  static async before(url: string, defaultPort = 5432): Promise<TcpProxy> {
    const { hostname, port } = new URL(url);
    return TcpProxy.start(hostname, Number(port || defaultPort));
  }

  /** The URL with the proxy's address instead of its host. */
  through(url: string): string {
    const other = new URL(url);
    other.hostname = '127.0.0.1';
    other.port = String(this.ownPort);
    return other.href;
  }

  async forward(): Promise<void> {
    if (this.#isBlackHole) {
      this.#isBlackHole = false;
      // Close the open connections, because they have lost the bytes that were sent during the black hole.
      this.#cut();
    }
    if (this.#server) return;
    this.#server = createServer((socket) => this.#accept(socket)).listen(this.ownPort, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  blackHole(): void {
    this.#isBlackHole = true;
    for (const [near, far] of this.#pairs) {
      near.unpipe();
      far?.unpipe();
      // Read and discard the bytes.
      near.resume();
      far?.resume();
    }
  }

  /** Drops cancel requests from now on. PostgreSQL's protocol sends them on separate connections. */
  loseCancels(): void {
    this.#losesCancels = true;
  }

  /** Stops forwarding open connections, as when a firewall loses their state. New connections are forwarded. */
  strand(): void {
    for (const [near, far] of this.#pairs) {
      near.unpipe();
      near.resume();
      far?.removeAllListeners('close');
      far?.destroy();
    }
  }

  async refuse(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    this.#isBlackHole = false;
    const closed = server && once(server, 'close');
    server?.close();
    this.#cut();
    await closed;
  }

  async stop(): Promise<void> {
    await this.refuse();
  }

  #accept(near: Socket): void {
    near.on('error', () => undefined);
    const far = this.#isBlackHole ? undefined : connect(this.port, this.host);
    const pair = [near, far] as const;
    this.#pairs.add(pair);
    near.once('close', () => {
      this.#pairs.delete(pair);
      if (!this.#isBlackHole) far?.destroy();
    });
    if (!far) return void near.resume();
    far.on('error', () => near.destroy());
    far.once('close', () => {
      if (!this.#isBlackHole) near.destroy();
    });
    far.pipe(near);
    if (!this.#losesCancels) return void near.pipe(far);
    near.once('data', (first: Buffer) => {
      if (first.length >= 8 && first.readInt32BE(4) === CANCEL_REQUEST) near.destroy();
      else {
        far.write(first);
        near.pipe(far);
      }
    });
  }

  #cut(): void {
    for (const [near, far] of this.#pairs) {
      near.resetAndDestroy();
      far?.destroy();
    }
    this.#pairs.clear();
  }
}
