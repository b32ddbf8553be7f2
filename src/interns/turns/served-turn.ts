import type { Runtime } from '../../runtimes/runtime.driver.js';
import { NO_TURN_USAGE } from '../../runtimes/agent-events.js';
import type { Answer, Turn, TurnEvent, TurnLimits } from '../../runtimes/turn.js';
import type { AskedQuestion, AskedQuestions, TurnLife } from './asked-questions.js';

/** A turn that exceeds the agent's own limits by this time counts as hung. */
const MARGIN_MS = 30_000;
const CANCEL_TIMEOUT_MS = 15_000;
/**
 * Maximum characters of events that wait for a slow reader. After that, no events are read from the runtime, which has
 * its own limit.
 */
const MAX_UNREAD_CHARACTERS = 1_048_576;
/** Number of characters that are counted for each event in addition to its text. */
const EVENT_CHARACTERS = 100;

const SEVERED: TurnEvent = {
  type: 'failed',
  reason: 'runtime_ended',
  message: 'The runtime of the intern ended during the run',
  retryable: true,
  usage: NO_TURN_USAGE,
};

export interface TurnPlace {
  readonly internId: string;
  readonly sessionId: string;
  readonly runtime: Runtime;
  /** The intern's own model; null = the default. */
  readonly model: string | null;
}

/**
 * The work on one message of a user: one turn of the agent. A response sends the events of the turn up to the next
 * question. After the answer, another response sends the following events. The turn ends when the agent reports the
 * end, or when its runtime ends. If the turn exceeds a time limit by MARGIN_MS, or a cancellation is not confirmed in
 * time, its runtime is stopped.
 */
export class ServedTurn {
  readonly #started = Promise.withResolvers<undefined>();
  readonly #life: TurnLife = { over: false };
  #turn: Turn | undefined;
  #events: TurnEvent[] = [];
  #wake: (() => void) | undefined;
  #unread = 0;
  #onRead: (() => void) | undefined;
  #pending: AskedQuestion | undefined;
  #isRead = false;
  #isCancelled = false;
  #hangs: NodeJS.Timeout | undefined;

  constructor(
    readonly place: TurnPlace,
    private readonly limits: TurnLimits,
    private readonly questions: AskedQuestions,
    private readonly onOver: (turn: ServedTurn) => void,
  ) {
    // Prevents an unhandled rejection if no message waits for the start.
    this.#started.promise.catch(() => undefined);
  }

  /** Whether messages to its session are added to the turn. */
  get takesMessages(): boolean {
    return !this.#life.over && !this.#isCancelled;
  }

  /** Whether the turn is neither over nor waiting for an answer. */
  get isWorking(): boolean {
    return !this.#life.over && this.#pending === undefined;
  }

  start(turn: Turn): void {
    this.#turn = turn;
    this.#expectProgress(this.limits.activeMs + MARGIN_MS);
    void this.#receiveAll(turn);
    this.#started.resolve(undefined);
  }

  /** Call this if the turn was never started. */
  abandon(reason: unknown): void {
    this.#finish();
    this.#started.reject(reason);
  }

  /** Adds a message to the turn. Rejects if the turn could not be started. */
  async steer(text: string): Promise<void> {
    await this.#started.promise;
    this.#turn!.steer(text);
  }

  /** Whether the question waits for its answer. */
  awaits(asked: AskedQuestion): boolean {
    return this.#pending === asked && !this.#isRead && this.takesMessages;
  }

  /** Passes an answer to the agent. Returns false if the question does not wait for an answer. */
  answer(asked: AskedQuestion, answer: Answer): boolean {
    if (!this.awaits(asked)) return false;
    if (!this.#turn!.answer(asked.id, answer)) return false;
    asked.isAnswered = true;
    this.#pending = undefined;
    this.#expectProgress(this.limits.activeMs + MARGIN_MS);
    return true;
  }

  /** Stops the work. The turn is over when the agent has confirmed the cancellation. */
  cancel(): void {
    if (this.#life.over || this.#isCancelled) return;
    this.#isCancelled = true;
    this.#take();
    this.#turn?.cancel();
    this.#expectProgress(CANCEL_TIMEOUT_MS);
    this.#wake?.();
  }

  /** The events for one response: until the next question, or the end. Ends early if the turn is cancelled. */
  async *events(): AsyncGenerator<TurnEvent> {
    this.#isRead = true;
    try {
      for (;;) {
        const batch = this.#take();
        for (const [at, event] of batch.entries()) {
          if (this.#isCancelled) return;
          const isLast = event.type === 'question' || event.type === 'end' || event.type === 'failed';
          if (isLast) {
            this.#events = [...batch.slice(at + 1), ...this.#events];
            this.#isRead = false;
          }
          yield event;
          if (isLast) return;
        }
        if (this.#isCancelled || (this.#life.over && this.#events.length === 0)) return;
        if (this.#events.length > 0) continue;
        await new Promise<void>((resolve) => (this.#wake = resolve));
        this.#wake = undefined;
      }
    } finally {
      this.#isRead = false;
    }
  }

  async #receiveAll({ events }: Turn): Promise<void> {
    try {
      for await (const event of events) {
        this.#receive(event);
        if (this.#unread > MAX_UNREAD_CHARACTERS) await new Promise<void>((resolve) => (this.#onRead = resolve));
      }
    } finally {
      // `Turn` guarantees a final event. If a driver sends none, this event ends the turn, so that the intern does not
      // stay busy.
      this.#receive(SEVERED);
    }
  }

  #receive(event: TurnEvent): void {
    if (this.#life.over) return;
    if (event.type === 'question') this.#ask(event.questionId, event.question);
    else if (event.type === 'end' || event.type === 'failed') this.#finish();
    if (!this.#isCancelled) {
      this.#events.push(event);
      this.#unread += EVENT_CHARACTERS + ('text' in event ? event.text.length : 0);
    }
    this.#wake?.();
  }

  #take(): TurnEvent[] {
    const taken = this.#events;
    [this.#events, this.#unread] = [[], 0];
    this.#onRead?.();
    return taken;
  }

  #ask(id: string, question: AskedQuestion['question']): void {
    const { internId, sessionId } = this.place;
    this.#pending = { id, sessionId, question, run: this.#life, isAnswered: false };
    this.questions.add(internId, this.#pending);
    if (!this.#isCancelled) this.#expectProgress(this.limits.answerMs + MARGIN_MS);
  }

  #finish(): void {
    this.#life.over = true;
    clearTimeout(this.#hangs);
    this.onOver(this);
  }

  #expectProgress(withinMs: number): void {
    clearTimeout(this.#hangs);
    this.#hangs = setTimeout(() => void this.place.runtime.stop().catch(() => undefined), withinMs);
    this.#hangs.unref();
  }
}
