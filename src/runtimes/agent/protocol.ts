import type { AgentProfile, Answer, SessionSummary, TurnEvent, TurnRequest } from '../turn.ts';

/** The configuration with which an agent starts. */
export interface BootDocument extends AgentProfile {
  readonly internId: string;
  readonly fence: number;
  readonly until: number;
  readonly key: string;
  /**
   * The name of the lock that the agent has while it runs, so that an intern has one agent on this machine. Null = the
   * driver itself ensures that there is only one agent.
   */
  readonly lock: string | null;
  /**
   * For a runtime without a network: a loopback port that forwards to the egress proxy's socket. Null for other
   * runtimes.
   */
  readonly bridge: { readonly port: number; readonly socket: string } | null;
  /** URL of the egress proxy with its credentials; null without a proxy. */
  readonly proxy: string | null;
  /** Whether the runtime confines the programs that the agent starts. */
  readonly runsCommands: boolean;
}

/** A message from the supervisor. A response has the `request` number of its request. */
export interface SupervisorMessage {
  readonly boot?: BootDocument;
  readonly until?: number;
  readonly ping?: number;
  readonly stop?: true;
  readonly turn?: TurnRequest;
  readonly steer?: { readonly sessionId: string; readonly turnId: string; readonly text: string };
  readonly answer?: { readonly turnId: string; readonly questionId: string; readonly answer: Answer };
  readonly cancel?: { readonly turnId: string };
  readonly listSessions?: { readonly request: number };
  readonly deleteSession?: { readonly request: number; readonly sessionId: string };
}

/** A message from the agent. */
export interface AgentMessage {
  readonly ready?: true;
  readonly pong?: number;
  readonly fault?: string;
  readonly event?: {
    readonly turnId: string;
    readonly event: TurnEvent;
    /** For a permission: the host that the proxy must open if the user allows it. */
    readonly host?: string;
  };
  readonly session?: { readonly request: number; readonly summary: SessionSummary };
  readonly done?: { readonly request: number; readonly deleted?: boolean; readonly error?: string };
}
