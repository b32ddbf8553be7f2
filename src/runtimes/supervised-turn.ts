import type { SupervisorMessage } from './agent/protocol.js';
import { checkedEvent, hostOfOperation, NO_TURN_USAGE } from './agent-events.js';
import { EventQueue } from './event-queue.js';
import type { HostGrants } from './runtime.driver.js';
import type { Answer, Question, Turn, TurnEvent, TurnRequest } from './turn.js';

const MAX_WAITING_QUESTIONS = 8;

interface Waiting {
  readonly kind: Question['kind'];
  /** The host that the proxy opens if the user permits it. */
  readonly host: string | undefined;
}

/**
 * A turn on the supervisor's side. The agent's messages are checked, because programs of the intern may write to the
 * agent's output. A host is opened only by the user's own answer to a question that names the host.
 */
export class SupervisedTurn implements Turn {
  readonly #events = new EventQueue();
  readonly #questions = new Map<string, Waiting>();
  readonly #allowedOnce = new Set<string>();
  #isOver = false;

  constructor(
    private readonly request: Pick<TurnRequest, 'turnId' | 'sessionId'>,
    private readonly send: (message: SupervisorMessage) => void,
    private readonly hostGrants: HostGrants | undefined,
    private readonly onOver: () => void,
  ) {}

  get events(): AsyncIterable<TurnEvent> {
    return this.#events;
  }

  steer(text: string): void {
    const { turnId, sessionId } = this.request;
    this.send({ steer: { turnId, sessionId, text } });
  }

  answer(questionId: string, answer: Answer): boolean {
    const waiting = this.#questions.get(questionId);
    if (this.#isOver || waiting?.kind !== answer.kind) return false;
    this.#questions.delete(questionId);
    void this.#deliver(questionId, answer, waiting.host);
    return true;
  }

  cancel(): void {
    this.send({ cancel: { turnId: this.request.turnId } });
  }

  receive(value: unknown, host: unknown): void {
    const event = checkedEvent(value);
    if (this.#isOver || !event) return;
    if (event.type === 'question') {
      const { question, questionId } = event;
      // An agent asks one question at a time.
      if (this.#questions.has(questionId) || this.#questions.size >= MAX_WAITING_QUESTIONS)
        return this.#break('The agent asked more than a user can answer');
      // Use the host only if the text that the user reads names the same host.
      const named = question.kind === 'permission' ? hostOfOperation(question.operation) : undefined;
      this.#questions.set(questionId, { kind: question.kind, host: named === host ? named : undefined });
    }
    if (event.type === 'end' || event.type === 'failed') this.#over();
    if (!this.#events.push(event)) this.#break('The agent sent more than the reader took');
  }

  endWithRuntime(reason: string): void {
    if (this.#isOver) return;
    this.#over();
    this.#fail('runtime_ended', `The runtime ended: ${reason}`);
  }

  async #deliver(questionId: string, answer: Answer, host: string | undefined): Promise<void> {
    const isAllowed = answer.kind === 'permission' && answer.option.startsWith('allow_');
    // The proxy must allow the host before the agent sends its request.
    if (isAllowed && host !== undefined) await this.#open(host, answer.option === 'allow_once');
    this.send({ answer: { turnId: this.request.turnId, questionId, answer } });
  }

  async #open(host: string, isOnce: boolean): Promise<void> {
    if (isOnce) this.#allowedOnce.add(host);
    else this.#allowedOnce.delete(host);
    try {
      await this.hostGrants?.allow(host);
    } catch {
      // The proxy will refuse the request.
    }
  }

  /** Ends a turn whose agent violates the protocol. */
  #break(message: string): void {
    this.cancel();
    this.#over();
    this.#fail('internal', message);
  }

  #fail(reason: 'internal' | 'runtime_ended', message: string): void {
    this.#events.push({ type: 'failed', reason, message, retryable: true, usage: NO_TURN_USAGE });
  }

  #over(): void {
    this.#isOver = true;
    this.#questions.clear();
    for (const host of this.#allowedOnce) this.hostGrants?.end(host);
    this.onOver();
  }
}
