import type { SecretValue } from '../kernel/secret-value.js';

/** Where an intern runs and keeps its disk. */
export interface RuntimePlace {
  readonly internId: string;
  /** The intern's compact number, from which a user id of its own follows. */
  readonly no: number;
}

/** What an intern is told of a secret: never its value. */
export interface SecretNotice {
  readonly name: string;
  readonly hosts: readonly string[];
  /** What the intern sends in the secret's stead; the egress proxy puts the value in. */
  readonly placeholder: string;
}

/** The way out to the network. */
export interface EgressWay {
  /** Tells the proxy which intern is calling. */
  readonly token: SecretValue;
  /** Port on 127.0.0.1, for runtimes that share this machine's loopback. */
  readonly port: number;
  /** Folder that holds `egress.sock`, `authority.pem` and `authorities.pem`, for runtimes without a network. */
  readonly socketFolder: string;
  /** The certificate authority that the runtime must trust, PEM. */
  readonly authority: string;
}

/** Everything one boot of an intern needs. */
export interface RuntimeBoot {
  readonly place: RuntimePlace;
  /** Under which the runtime is started; a driver refuses one that is older than what it has seen. */
  readonly fence: number;
  /** The runtime ends by itself at this time (epoch milliseconds) unless it is extended. */
  readonly until: number;
  readonly name: string;
  readonly instructions: string | null;
  readonly model: string | null;
  readonly secrets: readonly SecretNotice[];
  /** Minted for this boot. */
  readonly key: SecretValue;
  readonly egress: EgressWay | null;
}

/** A running intern. */
export interface Runtime {
  /** Why it ended. Never rejects. */
  readonly ended: Promise<string>;
  /** Lets it live until then. */
  extend(until: number): void;
  isHealthy(): Promise<boolean>;
  /** Ends it and everything it started; resolves when it is gone. */
  stop(): Promise<void>;
}

/** A runtime with a higher fence is or was there: whoever asks has lost the intern to another worker. */
export class SupersededRuntime extends Error {
  override name = 'SupersededRuntime';
}

/**
 * Gives an intern a place to run. Of two starts for one intern the higher fence wins, and ends what the lower one started. A runtime
 * dies with the process that started it, and at its time at the latest.
 */
export abstract class RuntimeDriver {
  /** Whether this replica runs interns at all. */
  abstract readonly runs: boolean;
  /** Makes the disk where there is none; may be repeated. */
  abstract prepare(place: RuntimePlace): Promise<void>;
  /** Resolves when the intern has answered for the first time. Rejects with the reason where it does not. */
  abstract start(boot: RuntimeBoot): Promise<Runtime>;
  /** Ends whatever runs for the intern under this fence or a lower one; may be repeated. */
  abstract stop(place: RuntimePlace, fence: number): Promise<void>;
  /** Removes the disk; may be repeated. */
  abstract remove(place: RuntimePlace): Promise<void>;
}

/** A replica that leaves the interns to others. */
export class NoRuntimeDriver extends RuntimeDriver {
  readonly runs = false;

  async prepare(): Promise<void> {}

  async start(): Promise<Runtime> {
    throw new Error('this replica runs no interns (INTERN_RUNTIME=none)');
  }

  async stop(): Promise<void> {}

  async remove(): Promise<void> {}
}
