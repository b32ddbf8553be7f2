import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Runtime } from '../../runtimes/runtime.driver.js';
import type { Boot } from './boot.js';
import type { HeldIntern } from './held-interns.js';
import { Supervision } from './supervision.js';

describe('an intern with a runtime that cannot be ended', () => {
  const unhandled = jest.fn();
  beforeAll(() => {
    Logger.overrideLogger(false);
    process.on('unhandledRejection', unhandled);
  });
  afterAll(() => void process.off('unhandledRejection', unhandled));

  it('is no longer supervised when its lease is lost, and no rejection is unhandled', async () => {
    let end: (reason: string) => void = () => undefined;
    const ended = new Promise<string>((resolve) => (end = resolve));
    const stop = async (): Promise<void> => {
      end('its container could not be ended');
      throw new Error('the Docker Engine does not respond');
    };
    const extend = (): void => undefined;
    const runtime = { ended, extend, isHealthy: async () => true, stop } as unknown as Runtime;
    const held = {
      job: { internId: 'i' },
      lost: new AbortController(),
      until: 0,
      mayRun: true,
    } as unknown as HeldIntern;
    const kept = new Supervision({} as Boot).keep(held, runtime);
    held.lost.abort();
    expect(await kept).toBeUndefined();
    await sleep(10);
    expect(unhandled).not.toHaveBeenCalled();
  });
});
