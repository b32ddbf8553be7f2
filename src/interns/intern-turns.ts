import { Injectable } from '@nestjs/common';
import type { AuditAction } from '../audit/audit-entry.js';
import { AuditTrail } from '../audit/audit-trail.js';
import { Config } from '../config/config.js';
import { Sql } from '../database/sql.js';
import { newId } from '../kernel/ids.js';
import type { Answer, ApprovalMode, TurnLimits } from '../runtimes/turn.js';
import { Moving } from './held-elsewhere.js';
import { chatErrors } from './intern-chat.errors.js';
import { auditActorOf, type Actor, type InternRecord } from './intern-record.js';
import { InternSettingsRows } from './intern-settings.js';
import { AskedQuestions } from './turns/asked-questions.js';
import { readAnswer } from './turns/read-answer.js';
import { ServedTurn } from './turns/served-turn.js';
import { RuntimeFinder } from './turns/runtime-finder.js';
import { BootInputs } from './work/boot-inputs.js';

/** A message of a user. */
export interface TurnMessage {
  /** Undefined = a new session. */
  readonly sessionId: string | undefined;
  readonly text: string;
  /** Undefined = the mode in the intern's settings. */
  readonly approvalMode: ApprovalMode | undefined;
}

/** An answer to a question. */
export interface AnswerMessage {
  readonly sessionId: string;
  readonly questionId: string;
  readonly content: string;
}

/** The part of a turn that a response reads. */
export type OpenTurn = Pick<ServedTurn, 'place' | 'events' | 'cancel'>;
/** The message was added to the turn that is running in its session. */
export type Steered = { readonly steeredSessionId: string };

/** The turns of the interns that this replica runs: at most one per intern at a time. */
@Injectable()
export class InternTurns {
  readonly #runs = new Map<string, ServedTurn>();
  readonly #questions = new AskedQuestions();

  constructor(
    private readonly finder: RuntimeFinder,
    private readonly settings: InternSettingsRows,
    private readonly inputs: BootInputs,
    private readonly sql: Sql,
    private readonly audit: AuditTrail,
    private readonly config: Config,
  ) {}

  /**
   * Starts a turn, or adds the message to the current turn of its session. Throws HeldElsewhere, Moving and chat
   * errors.
   */
  async begin(intern: InternRecord, message: TurnMessage, actor: Actor): Promise<OpenTurn | Steered> {
    const runtime = await this.finder.find(intern);
    const { model } = intern;
    const current = this.#runs.get(intern.id);
    // A turn whose runtime has ended does not block a new turn.
    if (current && current.place.runtime === runtime) return this.#steer(current, message);
    const sessionId = message.sessionId ?? newId();
    const run = new ServedTurn(
      { internId: intern.id, sessionId, runtime, model },
      this.#limits,
      this.#questions,
      (over) => {
        if (this.#runs.get(intern.id) === over) this.#runs.delete(intern.id);
      },
    );
    this.#runs.set(intern.id, run);
    try {
      await this.#start(run, intern, message, actor);
    } catch (error) {
      run.abandon(error);
      throw error;
    }
    return run;
  }

  /** Answers a question; the turn then continues. Throws HeldElsewhere, Moving and chat errors. */
  async answer(intern: InternRecord, message: AnswerMessage, actor: Actor): Promise<OpenTurn> {
    await this.finder.find(intern);
    const asked = this.#questions.find(intern.id, message.sessionId, message.questionId);
    if (!asked) throw chatErrors.interactionUnknown();
    if (asked.run.over) throw chatErrors.runEnded();
    if (asked.isAnswered) throw chatErrors.interactionNotPending();
    const answer = readAnswer(asked.question, message.content);
    const run = this.#runs.get(intern.id);
    if (!run?.awaits(asked)) throw chatErrors.interactionNotPending();
    // If two answers arrive at the same time, only one is recorded and used.
    asked.isAnswered = true;
    try {
      // The agent chose the id, and the database does not accept NUL.
      const id = `${intern.id}/${asked.id.replaceAll('\0', '')}`;
      await this.audit.record({ by: auditActorOf(actor), action: actionOf(answer), kind: 'intern_question', id });
    } catch (error) {
      asked.isAnswered = false;
      throw error;
    }
    if (!run.answer(asked, answer)) throw asked.run.over ? chatErrors.runEnded() : chatErrors.interactionNotPending();
    return run;
  }

  /** Whether the intern works on a message. A turn that waits for an answer does not count. */
  isWorking(internId: string): boolean {
    return this.#runs.get(internId)?.isWorking === true;
  }

  /** Whether a turn of the session runs, or waits for an answer. */
  isRunning(internId: string, sessionId: string): boolean {
    const run = this.#runs.get(internId);
    return run?.place.sessionId === sessionId && run.place.runtime === this.finder.here(internId);
  }

  async #steer(run: ServedTurn, { sessionId, text }: TurnMessage): Promise<Steered> {
    if (run.place.sessionId !== sessionId) throw chatErrors.busy();
    if (!run.takesMessages) throw chatErrors.busy('The run of this session is being cancelled: try again in a moment');
    await run.steer(text);
    return { steeredSessionId: sessionId };
  }

  async #start(
    run: ServedTurn,
    intern: InternRecord,
    { text, approvalMode }: TurnMessage,
    actor: Actor,
  ): Promise<void> {
    const { internId, sessionId, runtime } = run.place;
    const turnId = newId();
    const [settings, profile] = await Promise.all([
      this.settings.read(this.sql, internId),
      this.inputs.profileOf({ ...intern, internId, accountId: actor.accountId }),
    ]);
    await this.audit.record({
      by: auditActorOf(actor),
      action: 'start',
      kind: 'intern_run',
      id: `${internId}/${turnId}`,
    });
    // The message has not reached the runtime, so the request can be sent again.
    if (this.finder.here(internId) !== runtime) throw new Moving();
    run.start(
      runtime.startTurn({
        turnId,
        sessionId,
        text,
        approvalMode: approvalMode ?? settings.approvalMode,
        allowedHosts: settings.allowedHosts,
        limits: this.#limits,
        profile,
      }),
    );
  }

  get #limits(): TurnLimits {
    const { values } = this.config;
    return {
      steps: values.INTERN_TURN_MAX_STEPS,
      activeMs: values.INTERN_TURN_TIMEOUT_MS,
      tokens: values.INTERN_TURN_MAX_TOKENS,
      answerMs: values.INTERN_ANSWER_TIMEOUT_MS,
    };
  }
}

function actionOf(answer: Answer): AuditAction {
  if (answer.kind === 'elicitation') return 'answer';
  return answer.option.startsWith('allow_') ? 'allow' : 'reject';
}
