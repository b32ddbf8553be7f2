import type { AgentMessage, SupervisorMessage } from './agent/protocol.js';
import { checkedSummary } from './agent-events.js';
import { SupervisedTurn } from './supervised-turn.js';
import type { HostGrants } from './runtime.driver.js';
import type { SessionSummary, Turn, TurnRequest } from './turn.js';

const RESPONSE_TIMEOUT_MS = 10_000;
const MAX_SESSIONS = 10_000;
const MAX_ERROR_CHARACTERS = 500;

interface PendingRequest {
  readonly sessions: SessionSummary[];
  readonly resolve: (done: NonNullable<AgentMessage['done']>) => void;
  readonly reject: (error: Error) => void;
}

const endOf = (reason: string): Error => new Error(`the runtime ended: ${reason}`);

/** The supervisor's side of an agent's turns and sessions. */
export class SupervisedTurns {
  readonly #turns = new Map<string, SupervisedTurn>();
  readonly #pending = new Map<number, PendingRequest>();
  #endReason: string | undefined;
  #requests = 0;

  constructor(
    private readonly send: (message: SupervisorMessage) => void,
    ended: Promise<string>,
    private readonly hostGrants: HostGrants | undefined,
  ) {
    void ended.then((reason) => {
      this.#endReason = reason;
      for (const turn of this.#turns.values()) turn.endWithRuntime(reason);
      for (const { reject } of this.#pending.values()) reject(endOf(reason));
    });
  }

  start(request: TurnRequest): Turn {
    const { turnId } = request;
    const turn = new SupervisedTurn(request, this.send, this.hostGrants, () => this.#turns.delete(turnId));
    this.#turns.set(turnId, turn);
    if (this.#endReason === undefined) this.send({ turn: request });
    else turn.endWithRuntime(this.#endReason);
    return turn;
  }

  async sessions(): Promise<SessionSummary[]> {
    const request = ++this.#requests;
    return (await this.#request(request, { listSessions: { request } })).sessions;
  }

  async deleteSession(sessionId: string): Promise<boolean> {
    const request = ++this.#requests;
    return (await this.#request(request, { deleteSession: { request, sessionId } })).done.deleted === true;
  }

  receive({ event, session, done }: AgentMessage): void {
    if (event) this.#turns.get(event.turnId)?.receive(event.event, event.host);
    const pending = this.#pending.get((session ?? done)?.request ?? 0);
    const summary = session && pending ? checkedSummary(session.summary) : undefined;
    if (summary && pending && pending.sessions.length < MAX_SESSIONS) pending.sessions.push(summary);
    if (done) pending?.resolve(done);
  }

  async #request(
    number: number,
    message: SupervisorMessage,
  ): Promise<{ sessions: SessionSummary[]; done: NonNullable<AgentMessage['done']> }> {
    const sessions: SessionSummary[] = [];
    const response = Promise.withResolvers<NonNullable<AgentMessage['done']>>();
    if (this.#endReason !== undefined) throw endOf(this.#endReason);
    this.#pending.set(number, { sessions, resolve: response.resolve, reject: response.reject });
    const timer = setTimeout(() => response.reject(new Error('the agent does not respond')), RESPONSE_TIMEOUT_MS);
    try {
      this.send(message);
      const done = await response.promise;
      const error: unknown = done.error;
      if (error !== undefined)
        throw new Error(typeof error === 'string' ? error.slice(0, MAX_ERROR_CHARACTERS) : 'the agent sent no reason');
      return { sessions, done };
    } finally {
      clearTimeout(timer);
      this.#pending.delete(number);
    }
  }
}
