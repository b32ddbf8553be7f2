import type { AgentProfile, Answer, TurnEvent, TurnRequest, TurnUsage } from '../turn.ts';
import { ActiveClock } from './active-clock.ts';
import { CallFailure, type ModelClient } from './model-client.ts';
import { modelMessages } from './model-messages.ts';
import { NO_TURN_USAGE, sumOf, type ModelReply, type OnText } from './model-reply.ts';
import { Permissions } from './permissions.ts';
import type { BootDocument } from './protocol.ts';
import { Questions } from './questions.ts';
import { Session } from './session.ts';
import { systemPrompt } from './system-prompt.ts';
import type { Toolbox } from './toolbox.ts';
import { ToolError, type PreparedCall } from './tools/tool.ts';
import type { ToolCall } from './transcript-record.ts';
import { messageOf, TurnFailure, unlessAborted } from './turn-failure.ts';

const BUILT_IN_MODEL = 'builtin/eliza';
/** Longer texts are split into several events, because the supervisor limits the length of lines. */
const MAX_EVENT_CHARACTERS = 8_192;
/** Maximum size of the messages to the model, without the system prompt. Halved for a model that accepts less. */
const MAX_CONTEXT_CHARACTERS = 160_000;
const MIN_CONTEXT_CHARACTERS = 5_000;

/** The objects that all turns of an intern share. */
export interface TurnTools {
  readonly boot: BootDocument;
  readonly home: string;
  readonly model: ModelClient;
  readonly toolbox: Toolbox;
  /** The hosts that the user has opened for a session since the boot. */
  readonly openedHosts: (sessionId: string) => Set<string>;
}

/** One turn: calls the model and runs the tools that it calls, until the model calls none or a limit ends the turn. */
export class TurnLoop {
  readonly request: TurnRequest;
  readonly #tools: TurnTools;
  readonly #profile: AgentProfile;
  readonly #model: string;
  readonly #emit: (event: TurnEvent, host?: string) => void;
  readonly #ending = new AbortController();
  readonly #clock: ActiveClock;
  readonly #questions: Questions;
  readonly #steers: string[] = [];
  #session: Session | undefined;
  #usage: TurnUsage = NO_TURN_USAGE;
  #maxContextCharacters = MAX_CONTEXT_CHARACTERS;
  #hasEnded = false;

  constructor(request: TurnRequest, tools: TurnTools, emit: (event: TurnEvent, host?: string) => void) {
    this.request = request;
    this.#tools = tools;
    this.#profile = request.profile ?? tools.boot;
    this.#model = this.#profile.model ?? BUILT_IN_MODEL;
    this.#emit = emit;
    this.#clock = new ActiveClock(request.limits.activeMs, () =>
      this.#ending.abort(new TurnFailure('time_limit', 'The turn took too long', true)),
    );
    this.#questions = new Questions(this.#clock, request.limits.answerMs, emit);
  }

  /** Resolves after the last event. Never rejects. */
  async run(): Promise<void> {
    this.#clock.resume();
    try {
      this.#session = await Session.begin(this.#tools.home, this.request);
      const model = await this.#work(this.#session);
      await this.#finish('end');
      this.#emit({ type: 'end', usage: this.#usage, model });
    } catch (error) {
      const failure =
        error instanceof TurnFailure ? error : new TurnFailure('internal', `The agent failed: ${messageOf(error)}`);
      // If the disk accepts no more records, still send the event with the reason.
      await this.#finish(failure.reason).catch(() => undefined);
      const { reason, message, retryable } = failure;
      this.#emit({ type: 'failed', reason, message, retryable, usage: this.#usage });
    } finally {
      this.#clock.pause();
      this.#ending.abort();
      await this.#session?.close().catch(() => undefined);
    }
  }

  /**
   * Hands a further message to the turn. Returns false if the turn has ended, because it would not read the message.
   */
  steer(text: string): boolean {
    if (!this.#hasEnded) this.#steers.push(text);
    return !this.#hasEnded;
  }

  answer(questionId: string, answer: Answer): void {
    this.#questions.answer(questionId, answer);
  }

  cancel(): void {
    this.#ending.abort(new TurnFailure('cancelled', 'The turn was cancelled'));
  }

  async #work(session: Session): Promise<string> {
    const { toolbox, openedHosts } = this.#tools;
    const { signal } = this.#ending;
    const permissions = new Permissions(
      this.request,
      this.#profile.secrets,
      session,
      openedHosts(this.request.sessionId),
      (question, host) => this.#questions.ask(question, signal, host),
    );
    const system = { role: 'system', content: systemPrompt(this.#profile) };
    for (let steps = 0; ; steps++) {
      for (const text of this.#steers.splice(0)) await session.append({ type: 'steer', text });
      this.#checkLimits(steps);
      const reply = await this.#callModel(session, system, toolbox.definitions);
      await session.append({ type: 'assistant', text: reply.text, calls: reply.calls, ...reply.reasoning });
      for (const call of reply.calls) await this.#perform(call, session, permissions);
      signal.throwIfAborted();
      if (reply.calls.length === 0 && this.#steers.length === 0) return reply.model ?? this.#model;
    }
  }

  #checkLimits(steps: number): void {
    const { limits } = this.request;
    if (steps >= limits.steps)
      throw new TurnFailure('step_limit', `The turn reached its limit of ${limits.steps} calls of the model`);
    if (this.#usage.promptTokens + this.#usage.completionTokens >= limits.tokens)
      throw new TurnFailure('token_limit', `The turn reached its limit of ${limits.tokens} tokens`);
  }

  async #callModel(session: Session, system: unknown, tools: readonly unknown[]): Promise<ModelReply> {
    const { sessionId } = this.request;
    let said = '';
    const onText: OnText = (type, text) => {
      if (type === 'text') said += text;
      this.#emitText(type, text);
    };
    for (;;) {
      const messages = [system, ...modelMessages(session.records, this.#maxContextCharacters)];
      try {
        const request = { model: this.#model, sessionId, messages, tools };
        const reply = await this.#tools.model.complete(request, onText, this.#ending.signal);
        this.#usage = sumOf(this.#usage, reply.usage);
        return reply;
      } catch (error) {
        const canShorten = this.#maxContextCharacters > MIN_CONTEXT_CHARACTERS;
        if (!(error instanceof CallFailure && error.isTooLong && canShorten)) {
          if (said !== '') await session.append({ type: 'assistant', text: said, calls: [] });
          throw error;
        }
        this.#maxContextCharacters /= 2;
      }
    }
  }

  #emitText(type: 'text' | 'reasoning', text: string): void {
    for (let from = 0; from < text.length; from += MAX_EVENT_CHARACTERS)
      this.#emit({ type, text: text.slice(from, from + MAX_EVENT_CHARACTERS) });
  }

  /** Runs a call, and records its result. The intent of an effect is durable before the effect starts. */
  async #perform(call: ToolCall, session: Session, permissions: Permissions): Promise<void> {
    const { signal } = this.#ending;
    signal.throwIfAborted();
    let content: string;
    try {
      const prepared = this.#tools.toolbox.prepare(call);
      if (prepared.permission) await permissions.require(prepared.permission);
      signal.throwIfAborted();
      if (prepared.hasEffect) await session.append({ type: 'intent', callId: call.id });
      content = await this.#run(prepared);
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      content = `Error: ${error.message}`;
    }
    await session.append({ type: 'result', callId: call.id, content });
  }

  async #run(prepared: PreparedCall): Promise<string> {
    const { signal } = this.#ending;
    const ask = (question: Parameters<Questions['ask']>[0]): Promise<Answer> => this.#questions.ask(question, signal);
    try {
      return await unlessAborted(prepared.run({ signal, ask }), signal);
    } catch (error) {
      if (error instanceof ToolError || error instanceof TurnFailure) throw error;
      throw new ToolError(`The tool failed: ${messageOf(error)}`);
    }
  }

  async #finish(outcome: string): Promise<void> {
    this.#hasEnded = true;
    // The next turn reads messages that this turn accepted but did not read.
    for (const text of this.#steers.splice(0)) await this.#session?.append({ type: 'steer', text });
    await this.#session?.append({ type: 'finished', turnId: this.request.turnId, outcome });
  }
}
