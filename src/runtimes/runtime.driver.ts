import type { SecretValue } from '../kernel/secret-value.js';
import type { AgentProfile, SessionSummary, Turn, TurnRequest } from './turn.js';

/** Identifies an intern to a driver. */
export interface RuntimePlace {
  readonly internId: string;
  /** The intern's compact number, from which its user id is derived. */
  readonly no: number;
}

/** Access to the network through the egress proxy. */
export interface EgressWay {
  /** Identifies the intern to the proxy. */
  readonly token: SecretValue;
  /** Port on 127.0.0.1, for runtimes that share this machine's loopback. */
  readonly port: number;
  /** Folder with `egress.sock`, `authority.pem` and `authorities.pem`, for runtimes without a network. */
  readonly socketFolder: string;
  /** The certificate authorities that the runtime must trust in addition to the public ones, PEM. */
  readonly authorities: string;
}

/** The input of one boot of an intern. */
export interface RuntimeBoot extends AgentProfile {
  readonly place: RuntimePlace;
  /** The fence of this boot. A driver refuses the boot if another runtime has or had a higher fence. */
  readonly fence: number;
  /**
   * Returns the time at which the runtime ends by itself unless it is extended, in epoch milliseconds. Called after the
   * runtime has started, because a slow engine may take longer than a lease.
   */
  readonly until: () => number;
  /** The intern's key, which was created for this boot. */
  readonly key: SecretValue;
  readonly egress: EgressWay | null;
  readonly hostGrants?: HostGrants;
}

/** Lets the user allow additional hosts for the intern. */
export interface HostGrants {
  /** Called before the agent sends the request. */
  allow(host: string): void | Promise<void>;
  /** Called at the end of a turn for hosts that were allowed once. */
  end(host: string): void;
}

/** A running intern. */
export interface Runtime {
  /**
   * Resolves with the reason when the runtime has ended or, after a failed `stop`, when its state is unknown. Never
   * rejects.
   */
  readonly ended: Promise<string>;
  /** Changes the time at which the runtime ends by itself. */
  extend(until: number): void;
  isHealthy(): Promise<boolean>;
  /**
   * Starts a turn of the agent. Only one turn runs at a time. Never throws. A turn that cannot start has a `failed`
   * event.
   */
  startTurn(request: TurnRequest): Turn;
  /** The sessions on the intern's disk. Rejects if the runtime ends. */
  sessions(): Promise<SessionSummary[]>;
  /** Deletes a session with its transcript; false if there is none. Rejects if the runtime ends. */
  deleteSession(sessionId: string): Promise<boolean>;
  /** Ends the runtime with all its processes. Resolves when they have ended; rejects if they cannot be ended. */
  stop(): Promise<void>;
}

/** A runtime with a higher fence exists or existed, so the caller has lost the intern to another worker. */
export class SupersededRuntime extends Error {
  override name = 'SupersededRuntime';
}

/**
 * Runs interns. If two workers start the same intern, the higher fence wins, and the runtime with the lower fence is
 * ended. A runtime ends when the process that started it ends, and at `until` at the latest. If a driver waits for a
 * container engine, aborting `signal` rejects the call with an error that names the engine.
 */
export abstract class RuntimeDriver {
  /** Whether this replica runs interns at all. */
  abstract readonly runs: boolean;
  /** Creates the disk unless it exists. Idempotent. */
  abstract prepare(place: RuntimePlace, signal?: AbortSignal): Promise<void>;
  /** Resolves when the intern is ready. Rejects with the reason if it does not become ready. */
  abstract start(boot: RuntimeBoot, signal?: AbortSignal): Promise<Runtime>;
  /** Ends all runtimes of the intern with this fence or a lower one. Idempotent. */
  abstract stop(place: RuntimePlace, fence: number, signal?: AbortSignal): Promise<void>;
  /** Deletes the disk. Idempotent. */
  abstract remove(place: RuntimePlace, signal?: AbortSignal): Promise<void>;
}

/** For a replica that runs no interns. */
export class NoRuntimeDriver extends RuntimeDriver {
  readonly runs = false;

  async prepare(): Promise<void> {}

  async start(): Promise<Runtime> {
    throw new Error('this replica runs no interns (INTERN_RUNTIME=none)');
  }

  async stop(): Promise<void> {}

  async remove(): Promise<void> {}
}
