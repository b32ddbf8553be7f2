import { eventually } from '../eventually.js';
import { freePort } from '../services/free-port.js';
import { spawnService, untilReady, warningsIn, type ServiceProcess } from '../services/service-process.js';

/** One more than the number of serving replicas, so that a replacement starts before the old replica stops. */
const SLOTS = 3;

interface Replica {
  readonly slot: number;
  readonly service: ServiceProcess;
  /** Whether the replica runs the previous version. */
  readonly isOld: boolean;
}

/** Replicas on fixed ports of this machine, so that the configuration of a proxy can list them. */
export class RollingReplicas {
  /** Oldest first. */
  readonly #serving: Replica[] = [];
  /** The lines of warnings and errors of replicas of this version that have stopped. */
  readonly warnings: string[] = [];
  /** Exit codes of replicas that have stopped. */
  readonly codes: (number | null)[] = [];
  readonly #taken = new Set<number>();

  private constructor(
    readonly ports: readonly number[],
    private readonly env: Readonly<Record<string, string>>,
  ) {}

  static async open(env: Readonly<Record<string, string>>): Promise<RollingReplicas> {
    const ports = new Set<number>();
    while (ports.size < SLOTS) ports.add(await freePort());
    return new RollingReplicas([...ports], env);
  }

  get origins(): string[] {
    return this.ports.map(originAt);
  }

  /** Starts a replica in a free slot, and returns the number of the slot when the replica is ready. */
  async start(root?: string): Promise<number> {
    const slot = this.ports.findIndex((_, at) => !this.#taken.has(at));
    this.#taken.add(slot);
    const origin = originAt(this.ports[slot]!);
    const env = { ...this.env, PORT: String(this.ports[slot]), REPLICA_URL: origin };
    const service = await untilReady(spawnService(env, [], root));
    this.#serving.push({ slot, service, isOld: root !== undefined });
    await eventually(async () => expect((await fetch(`${origin}/readyz`)).status).toBe(200), 30_000);
    return slot;
  }

  /** Whether the oldest replica runs the previous version. */
  isOldestOld(): boolean {
    return this.#serving[0]!.isOld;
  }

  /** Stops the oldest replica, and waits until it has ended. */
  async stopOldest(): Promise<void> {
    const replica = this.#serving.shift()!;
    replica.service.kill('SIGTERM');
    await this.#ended(replica);
  }

  async close(): Promise<void> {
    const left = this.#serving.splice(0);
    for (const { service } of left) service.kill('SIGTERM');
    await Promise.all(left.map((replica) => this.#ended(replica)));
  }

  async #ended({ slot, service, isOld }: Replica): Promise<void> {
    this.codes.push(await service.exited);
    this.#taken.delete(slot);
    if (!isOld) this.warnings.push(...warningsIn(service.output()));
  }
}

const originAt = (port: number): string => `http://127.0.0.1:${port}`;
