import type { RunningService } from '../../../src/service.js';
import {
  RuntimeDriver,
  type Runtime,
  type RuntimeBoot,
  type RuntimePlace,
} from '../../../src/runtimes/runtime.driver.js';
import type {
  Answer,
  Question,
  SessionSummary,
  Turn,
  TurnEvent,
  TurnFailureReason,
  TurnRequest,
  TurnUsage,
} from '../../../src/runtimes/turn.js';

export const USAGE: TurnUsage = { promptTokens: 20, cachedTokens: 5, completionTokens: 7, costUsd: 0.25 };

/** A turn whose events the test writes. */
export class ScriptedTurn implements Turn {
  readonly steered: string[] = [];
  readonly answers: Answer[] = [];
  isCancelled = false;
  /** Whether `cancel` ends the turn immediately. */
  endsOnCancel = true;
  readonly #pending = new Set<string>();
  readonly #queue: TurnEvent[] = [];
  #wake: (() => void) | undefined;
  #isOver = false;

  constructor(readonly request: TurnRequest) {}

  get events(): AsyncIterable<TurnEvent> {
    return this.#read();
  }

  steer(text: string): void {
    this.steered.push(text);
  }

  answer(questionId: string, answer: Answer): boolean {
    if (!this.#pending.delete(questionId)) return false;
    this.answers.push(answer);
    return true;
  }

  cancel(): void {
    this.isCancelled = true;
    if (this.endsOnCancel) this.fail('cancelled');
  }

  say(text: string): this {
    return this.#push({ type: 'text', text });
  }

  think(text: string): this {
    return this.#push({ type: 'reasoning', text });
  }

  ask(questionId: string, question: Question): this {
    this.#pending.add(questionId);
    return this.#push({ type: 'question', questionId, question });
  }

  end(model = 'builtin/eliza'): void {
    this.#push({ type: 'end', usage: USAGE, model });
    this.#isOver = true;
  }

  fail(reason: TurnFailureReason, retryable = false): void {
    this.#push({ type: 'failed', reason, message: `scripted: ${reason}`, retryable, usage: USAGE });
    this.#isOver = true;
  }

  #push(event: TurnEvent): this {
    if (!this.#isOver) this.#queue.push(event);
    this.#wake?.();
    return this;
  }

  async *#read(): AsyncGenerator<TurnEvent> {
    for (;;) {
      const event = this.#queue.shift();
      if (event) yield event;
      if (event?.type === 'end' || event?.type === 'failed') return;
      if (this.#queue.length === 0) await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}

/** An intern without a process. */
export class ScriptedRuntime implements Runtime {
  readonly turns: ScriptedTurn[] = [];
  readonly #end = Promise.withResolvers<string>();
  readonly ended = this.#end.promise;
  stored: SessionSummary[] = [];

  constructor(
    readonly boot: RuntimeBoot,
    private readonly onTurn: (turn: ScriptedTurn) => void,
  ) {}

  extend(): void {}

  async isHealthy(): Promise<boolean> {
    return true;
  }

  startTurn(request: TurnRequest): Turn {
    const turn = new ScriptedTurn(request);
    this.turns.push(turn);
    this.onTurn(turn);
    return turn;
  }

  async sessions(): Promise<SessionSummary[]> {
    return this.stored;
  }

  async deleteSession(sessionId: string): Promise<boolean> {
    const before = this.stored.length;
    this.stored = this.stored.filter((session) => session.sessionId !== sessionId);
    return this.stored.length < before;
  }

  async stop(): Promise<void> {
    for (const turn of this.turns) turn.fail('runtime_ended', true);
    this.#end.resolve('it was stopped');
  }
}

/** Replaces the runtime driver of a service: a script of the test controls the turns of interns. */
export class ScriptedRuntimes extends RuntimeDriver {
  readonly runs = true;
  /** Called at the start of each turn. */
  script: (turn: ScriptedTurn) => void = () => undefined;
  readonly #runtimes = new Map<string, ScriptedRuntime>();

  static insteadOf(app: RunningService['app']): ScriptedRuntimes {
    const scripted = new ScriptedRuntimes();
    const driver = app.get(RuntimeDriver, { strict: false });
    for (const method of ['prepare', 'start', 'stop', 'remove'] as const)
      Object.assign(driver, { [method]: scripted[method].bind(scripted) });
    return scripted;
  }

  /** The current or last runtime of the intern. */
  of(internId: string): ScriptedRuntime {
    return this.#runtimes.get(internId)!;
  }

  turnOf(internId: string): ScriptedTurn {
    return this.of(internId).turns.at(-1)!;
  }

  async prepare(): Promise<void> {}

  async start(boot: RuntimeBoot): Promise<Runtime> {
    const runtime = new ScriptedRuntime(boot, (turn) => this.script(turn));
    this.#runtimes.set(boot.place.internId, runtime);
    return runtime;
  }

  async stop({ internId }: RuntimePlace): Promise<void> {
    await this.#runtimes.get(internId)?.stop();
  }

  async remove(): Promise<void> {}
}
