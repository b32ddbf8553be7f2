import type { Readable, Writable } from 'node:stream';
import type { RuntimeBoot } from './runtime.driver.js';

const ANSWER_WITHIN_MS = 5_000;

interface Said {
  readonly ready?: true;
  readonly pong?: number;
  readonly fault?: string;
}

/** How a driver's agent finds its lock and its way out. */
export interface AgentSurroundings {
  readonly lock: string | null;
  readonly bridge: { readonly port: number; readonly socket: string } | null;
}

/** The supervisor's side of what an agent is told and answers, over whatever carries its standard input and output. */
export class AgentConversation {
  #text = '';
  #pings = 0;
  #fault: string | undefined;
  #onReady: (() => void) | undefined;
  readonly #waiting = new Map<number, (healthy: boolean) => void>();

  constructor(
    private readonly input: Writable,
    output: Readable,
  ) {
    input.on('error', () => undefined);
    output.setEncoding('utf8').on('data', (part: string) => this.#hear(part));
    output.on('error', () => undefined);
  }

  /** What the agent said of why it ends. */
  get fault(): string | undefined {
    return this.#fault;
  }

  /** Sends the boot document; resolves with the first answer. Rejects, saying why, once the runtime has ended or the time is up. */
  async boot(
    boot: RuntimeBoot,
    { lock, bridge }: AgentSurroundings,
    ended: Promise<string>,
    withinMs: number,
  ): Promise<void> {
    const ready = new Promise<undefined>((resolve) => (this.#onReady = () => resolve(undefined)));
    const { place, fence, until, name, instructions, model, secrets } = boot;
    // The key travels in this pipe only: it is in no environment, no argument and no file.
    this.#tell({
      boot: {
        internId: place.internId,
        fence,
        until,
        name,
        instructions,
        model,
        secrets,
        key: boot.key.reveal(),
        lock,
        bridge,
      },
    });
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<string>(
      (resolve) => (timer = setTimeout(() => resolve(`it did not answer within ${withinMs / 1000} s`), withinMs)),
    );
    const failure = await Promise.race([ready, ended, late]);
    clearTimeout(timer);
    if (failure !== undefined) throw new Error(failure);
  }

  extend(until: number): void {
    this.#tell({ until });
  }

  isHealthy(): Promise<boolean> {
    const ping = ++this.#pings;
    return new Promise((resolve) => {
      const done = (healthy: boolean): void => {
        clearTimeout(timer);
        this.#waiting.delete(ping);
        resolve(healthy);
      };
      const timer = setTimeout(() => done(false), ANSWER_WITHIN_MS);
      timer.unref();
      this.#waiting.set(ping, done);
      this.#tell({ ping });
    });
  }

  /** Asks it to stop; the end of its input says the same. */
  stop(): void {
    this.#tell({ stop: true });
    this.input.end();
  }

  #tell(order: object): void {
    if (this.input.writable) this.input.write(`${JSON.stringify(order)}\n`);
  }

  #hear(part: string): void {
    const lines = (this.#text + part).split('\n');
    // An intern's output is its own; whatever is no line of ours is let go.
    this.#text = lines.pop()!.slice(-65_536);
    for (const line of lines) this.#take(parsed(line));
  }

  #take({ ready, pong, fault }: Said): void {
    if (ready) this.#onReady?.();
    if (typeof fault === 'string') this.#fault = fault.slice(0, 500);
    if (typeof pong === 'number') this.#waiting.get(pong)?.(true);
  }
}

function parsed(line: string): Said {
  try {
    return (JSON.parse(line) ?? {}) as Said;
  } catch {
    return {};
  }
}
