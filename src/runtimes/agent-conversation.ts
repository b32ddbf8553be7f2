import type { Readable, Writable } from 'node:stream';
import type { AgentMessage, BootDocument, SupervisorMessage } from './agent/protocol.js';
import { SupervisedTurns } from './supervised-turns.js';
import type { Runtime, RuntimeBoot } from './runtime.driver.js';

const RESPONSE_TIMEOUT_MS = 5_000;
/** Maximum length of a line. Messages of agents are far shorter. */
const MAX_LINE_CHARACTERS = 65_536;
/** Maximum unread input of an agent. Messages to it are far shorter. */
const MAX_UNREAD_INPUT_BYTES = 8_388_608;
/** Maximum number of malformed messages in the lifetime of a runtime. A correct agent sends none. */
const MAX_MALFORMED_LINES = 1_000;
const MAX_FAULT_CHARACTERS = 500;
/**
 * Programs of the intern may write to the agent's output without pause, so reading may use only a fifth of the time.
 * After a read of at least MIN_READ_MS, reading pauses for PAUSE_PER_READ times the duration of the read.
 */
const MIN_READ_MS = 2;
const PAUSE_PER_READ = 4;

/** The members of a runtime that the agent provides. */
export type AgentMembers = Pick<Runtime, 'extend' | 'isHealthy' | 'startTurn' | 'sessions' | 'deleteSession'>;

/** The driver-specific part of the boot document. */
type AgentPlace = Pick<BootDocument, 'lock' | 'bridge' | 'proxy' | 'runsCommands'>;

/** The supervisor's side of the protocol with an agent, over the agent's standard input and output. */
export class AgentConversation {
  #text = '';
  #pings = 0;
  #fault: string | undefined;
  #malformed = 0;
  #onReady: (() => void) | undefined;
  #turns: SupervisedTurns | undefined;
  readonly #waiting = new Map<number, (healthy: boolean) => void>();

  constructor(
    private readonly input: Writable,
    private readonly output: Readable,
  ) {
    input.on('error', () => undefined);
    output.setEncoding('utf8').on('data', (part: string) => this.#receive(part));
    output.on('error', () => undefined);
  }

  /** The reason why the agent ended or was ended; undefined if none is known. */
  get fault(): string | undefined {
    return this.#fault;
  }

  /**
   * Sends the boot document; resolves when the agent is ready. Rejects with the reason if the runtime ends first, or if
   * the agent is not ready after `timeoutMs`.
   */
  async boot(
    boot: RuntimeBoot,
    agentPlace: AgentPlace,
    ended: Promise<string>,
    timeoutMs: number,
  ): Promise<AgentMembers> {
    const ready = Promise.withResolvers<undefined>();
    this.#onReady = () => ready.resolve(undefined);
    const turns = new SupervisedTurns((message) => this.#send(message), ended, boot.hostGrants);
    this.#turns = turns;
    const { place, fence, until, name, description, instructions, model, secrets } = boot;
    // The key is sent only through this pipe, not in the environment, an argument or a file.
    const own = { internId: place.internId, fence, until: until(), key: boot.key.reveal() };
    this.#send({ boot: { name, description, instructions, model, secrets, ...own, ...agentPlace } });
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<string>(
      (resolve) => (timer = setTimeout(() => resolve(`it did not respond within ${timeoutMs / 1000} s`), timeoutMs)),
    );
    const failure = await Promise.race([ready.promise, ended, late]);
    clearTimeout(timer);
    if (failure !== undefined) throw new Error(failure);
    return {
      extend: (extended) => this.#send({ until: extended }),
      isHealthy: () => this.#isHealthy(),
      startTurn: (request) => turns.start(request),
      sessions: () => turns.sessions(),
      deleteSession: (sessionId) => turns.deleteSession(sessionId),
    };
  }

  #isHealthy(): Promise<boolean> {
    const ping = ++this.#pings;
    return new Promise((resolve) => {
      const done = (healthy: boolean): void => {
        clearTimeout(timer);
        this.#waiting.delete(ping);
        resolve(healthy);
      };
      const timer = setTimeout(() => done(false), RESPONSE_TIMEOUT_MS);
      timer.unref();
      this.#waiting.set(ping, done);
      this.#send({ ping });
    });
  }

  /** Sends a stop message, and ends the agent's input, which also stops the agent. */
  stop(): void {
    this.#send({ stop: true });
    this.input.end();
  }

  #send(message: SupervisorMessage): void {
    if (!this.input.writable) return;
    if (this.input.writableLength > MAX_UNREAD_INPUT_BYTES) this.#refuse('it does not read its input');
    else this.input.write(`${JSON.stringify(message)}\n`);
  }

  #receive(part: string): void {
    const begunAt = performance.now();
    const lines = (this.#text + part).split('\n');
    // Ignore lines that are not protocol messages, because they are the intern's own output.
    this.#text = lines.pop()!.slice(-MAX_LINE_CHARACTERS);
    for (const line of lines) if (line.startsWith('{"')) this.#handle(line);
    const readMs = performance.now() - begunAt;
    if (readMs < MIN_READ_MS) return;
    this.output.pause();
    setTimeout(() => this.output.resume(), readMs * PAUSE_PER_READ).unref();
  }

  #handle(line: string): void {
    if (this.#malformed > MAX_MALFORMED_LINES) return;
    const message = parsed(line);
    if (!message) {
      if (++this.#malformed > MAX_MALFORMED_LINES) this.#refuse('a program wrote to the output of its agent');
      return;
    }
    const { ready, pong, fault } = message;
    if (ready) this.#onReady?.();
    // The reason is stored, and PostgreSQL does not accept NUL in a text.
    if (typeof fault === 'string') this.#fault = fault.slice(0, MAX_FAULT_CHARACTERS).replace(/[\p{Cc}\p{Cs}]/gu, ' ');
    if (typeof pong === 'number') this.#waiting.get(pong)?.(true);
    this.#turns?.receive(message);
  }

  /** Ends the conversation. The agent ends when its input ends. */
  #refuse(fault: string): void {
    this.#fault = fault;
    this.input.destroy();
    this.output.destroy();
  }
}

/** Undefined if the line is not JSON. */
function parsed(line: string): AgentMessage | undefined {
  try {
    return JSON.parse(line) as AgentMessage;
  } catch {
    return undefined;
  }
}
