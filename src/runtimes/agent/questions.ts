import type { Answer, Question, TurnEvent } from '../turn.ts';
import type { ActiveClock } from './active-clock.ts';
import { TurnFailure, unlessAborted } from './turn-failure.ts';

/** The questions of one turn. */
export class Questions {
  readonly #waiting = new Map<string, (answer: Answer) => void>();
  readonly #clock: ActiveClock;
  readonly #answerMs: number;
  readonly #emit: (event: TurnEvent, host?: string) => void;
  #count = 0;

  constructor(clock: ActiveClock, answerMs: number, emit: (event: TurnEvent, host?: string) => void) {
    this.#clock = clock;
    this.#answerMs = answerMs;
    this.#emit = emit;
  }

  /**
   * Waits for the answer of the user. The waiting time does not count as work. Throws a TurnFailure if no answer
   * arrives in time.
   */
  async ask(question: Question, signal: AbortSignal, host?: string): Promise<Answer> {
    const questionId = `q${++this.#count}`;
    const answered = Promise.withResolvers<Answer>();
    this.#waiting.set(questionId, answered.resolve);
    const expire = (): void =>
      answered.reject(new TurnFailure('answer_timeout', 'The question was not answered in time', true));
    this.#clock.pause();
    const timer = setTimeout(expire, this.#answerMs);
    try {
      this.#emit({ type: 'question', questionId, question }, host);
      return await unlessAborted(answered.promise, signal);
    } finally {
      clearTimeout(timer);
      this.#clock.resume();
      this.#waiting.delete(questionId);
    }
  }

  answer(questionId: string, answer: Answer): void {
    this.#waiting.get(questionId)?.(answer);
  }
}
