import type { TurnEvent, TurnRequest } from '../turn.ts';
import { ModelClient } from './model-client.ts';
import { NO_TURN_USAGE } from './model-reply.ts';
import type { BootDocument, SupervisorMessage } from './protocol.ts';
import { ProxyClient } from './proxy-client.ts';
import { deleteSession, listSessions } from './session-files.ts';
import { Session } from './session.ts';
import { send } from './supervisor-link.ts';
import { Toolbox } from './toolbox.ts';
import { messageOf } from './turn-failure.ts';
import { TurnLoop, type TurnTools } from './turn-loop.ts';

/** The agent's turns and sessions. One turn runs at a time. */
export class AgentSessions {
  readonly #tools: TurnTools;
  readonly #openedHosts = new Map<string, Set<string>>();
  #turn: TurnLoop | undefined;

  constructor(boot: BootDocument, home: string) {
    const proxy = new ProxyClient(boot.proxy);
    this.#tools = {
      boot,
      home,
      model: new ModelClient(proxy, boot.key),
      toolbox: new Toolbox(boot, home, proxy),
      openedHosts: (sessionId) => {
        const found = this.#openedHosts.get(sessionId) ?? new Set<string>();
        this.#openedHosts.set(sessionId, found);
        return found;
      },
    };
  }

  receive({ turn, steer, answer, cancel, listSessions: list, deleteSession: deletion }: SupervisorMessage): void {
    if (turn) void this.#start(turn);
    if (steer) this.#steer(steer);
    if (answer) this.#running(answer.turnId)?.answer(answer.questionId, answer.answer);
    if (cancel) this.#running(cancel.turnId)?.cancel();
    if (list) void this.#respond(list.request, () => this.#list(list.request));
    if (deletion) void this.#respond(deletion.request, () => this.#delete(deletion.sessionId));
  }

  async #start(request: TurnRequest): Promise<void> {
    const { turnId } = request;
    const emit = (event: TurnEvent, host?: string): void => send({ event: { turnId, event, host } });
    if (this.#turn)
      return emit({
        type: 'failed',
        reason: 'internal',
        message: 'Another turn of this intern is running',
        retryable: true,
        usage: NO_TURN_USAGE,
      });
    this.#turn = new TurnLoop(request, this.#tools, (event, host) => {
      // Clear the turn before its last event is sent, because the supervisor may then start the next turn at once.
      if (event.type === 'end' || event.type === 'failed') this.#turn = undefined;
      emit(event, host);
    });
    await this.#turn.run();
  }

  #running(turnId: string): TurnLoop | undefined {
    return this.#turn?.request.turnId === turnId ? this.#turn : undefined;
  }

  #steer({ turnId, sessionId, text }: NonNullable<SupervisorMessage['steer']>): void {
    if (this.#running(turnId)?.steer(text)) return;
    Session.addLate(this.#tools.home, sessionId, text).catch(() => undefined);
  }

  async #list(request: number): Promise<object> {
    for (const summary of await listSessions(this.#tools.home)) send({ session: { request, summary } });
    return {};
  }

  async #delete(sessionId: string): Promise<object> {
    if (this.#turn?.request.sessionId === sessionId) throw new Error('a turn of this session is running');
    this.#openedHosts.delete(sessionId);
    return { deleted: await deleteSession(this.#tools.home, sessionId) };
  }

  async #respond(request: number, work: () => Promise<object>): Promise<void> {
    try {
      send({ done: { request, ...(await work()) } });
    } catch (error) {
      send({ done: { request, error: messageOf(error) } });
    }
  }
}
