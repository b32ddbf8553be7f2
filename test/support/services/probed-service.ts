import { on } from 'node:events';
import { spawnService, untilReady, type ServiceProcess } from './service-process.js';

/**
 * In milliseconds: as a clock measures it, and the processor time of the main thread, which other processes do not
 * lengthen.
 */
export interface Stall {
  readonly wall: number;
  readonly cpu: number;
}

/** A service process whose event loop and memory are watched from within (stall-probe.mjs). */
export interface ProbedService extends ServiceProcess {
  resetStall(): Promise<void>;
  /** The longest turn of the event loop since the last reset. */
  longestStall(): Promise<Stall>;
  /** The processor time in milliseconds of a fixed work, which tells how fast this machine is at present. */
  sampleMs(): Promise<number>;
  /** In bytes, after a collection of garbage: what is in use, and what is resident. */
  memory(): Promise<{ readonly used: number; readonly rss: number }>;
}

/** Starts it with the flags of `npm start`. */
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
    throw new Error(`the service process is gone:\n${started.output()}`);
  };
  const service = await untilReady(started);
  const resetStall = async (): Promise<void> => void (await ask('reset'));
  // The start is no turn to judge.
  await resetStall();
  return {
    ...service,
    resetStall,
    longestStall: () => ask('stall'),
    sampleMs: async () => (await ask<{ ms: number }>('sample')).ms,
    memory: () => ask('memory'),
  };
}
