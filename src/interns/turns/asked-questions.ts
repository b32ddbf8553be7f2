import type { Question } from '../../runtimes/turn.js';

/** The state of a turn. All questions of the turn share this object. */
export interface TurnLife {
  over: boolean;
}

/** A question that an intern asked. */
export interface AskedQuestion {
  readonly id: string;
  readonly sessionId: string;
  readonly question: Question;
  readonly run: TurnLife;
  isAnswered: boolean;
}

const MAX_QUESTIONS_PER_INTERN = 32;
const MAX_INTERNS = 10_000;

/** The last questions of each intern on this replica, so that a late answer is refused for the right reason. */
export class AskedQuestions {
  readonly #ofIntern = new Map<string, AskedQuestion[]>();

  add(internId: string, asked: AskedQuestion): void {
    const questions = this.#ofIntern.get(internId) ?? [];
    questions.push(asked);
    if (questions.length > MAX_QUESTIONS_PER_INTERN) questions.shift();
    // Moved to the end, so that the interns with the newest questions are kept.
    this.#ofIntern.delete(internId);
    this.#ofIntern.set(internId, questions);
    if (this.#ofIntern.size > MAX_INTERNS) this.#ofIntern.delete(this.#ofIntern.keys().next().value!);
  }

  find(internId: string, sessionId: string, id: string): AskedQuestion | undefined {
    return this.#ofIntern.get(internId)?.findLast((asked) => asked.id === id && asked.sessionId === sessionId);
  }
}
