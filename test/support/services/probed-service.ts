import { on } from 'node:events';
import { spawnService, untilReady, type ServiceProcess } from './service-process.js';

/**
 * In milliseconds: the elapsed time, and the processor time of the main thread, which other processes do not affect.
 */
export interface Stall {
  readonly wall: number;
  readonly cpu: number;
}

/** A service process whose event loop and memory are measured from inside the process (stall-probe.mjs). */
export interface ProbedService extends ServiceProcess {
  resetStall(): Promise<void>;
  /** The longest turn of the event loop since the last reset. */
  longestStall(): Promise<Stall>;
  /** The processor time in milliseconds of a fixed task, which measures the current speed of this machine. */
  sampleMs(): Promise<number>;
  /** In bytes, after a garbage collection: used and resident memory. */
  memory(): Promise<{ readonly used: number; readonly rss: number }>;
}

/** Starts the service with the flags of `npm start`. */
export async function startProbedService(env: Readonly<Record<string, string>>): Promise<ProbedService> {
  const started = spawnService(env, [
    '--max-semi-space-size=32',
    '--import',
    new URL('stall-probe.mjs', import.meta.url).href,
  ]);
  let asked = 0;
  const ask = async <T>(what: string): Promise<T> => {
    const id = ++asked;
    const answers = on(started.child, 'message', { close: ['exit'] }) as AsyncIterable<[T & { id: number }]>;
    started.child.send({ id, ask: what });
    for await (const [answer] of answers) if (answer.id === id) return answer;
    throw new Error(`the service process has ended:\n${started.output()}`);
  };
  const service = await untilReady(started);
  const resetStall = async (): Promise<void> => void (await ask('reset'));
  // The start is not measured.
  await resetStall();
  return {
    ...service,
    resetStall,
    longestStall: () => ask('stall'),
    sampleMs: async () => (await ask<{ ms: number }>('sample')).ms,
    memory: () => ask('memory'),
  };
}
