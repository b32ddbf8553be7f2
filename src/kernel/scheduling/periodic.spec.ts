import { setTimeout as sleep } from 'node:timers/promises';
import { Periodic } from './periodic.js';
import { currentRequest, inRequestScope, RequestScope } from '../request-scope.js';

const never = (): void => expect(true).toBe(false);

describe('a periodic job', () => {
  it('runs at its interval, and its runs never overlap, however long they take', async () => {
    let running = 0;
    let most = 0;
    let runs = 0;
    const job = new Periodic(async () => {
      most = Math.max(most, ++running);
      await sleep(20);
      running--;
      runs++;
    }, never);
    job.start(5);
    while (runs < 3) await sleep(5);
    await job.stop();
    expect(most).toBe(1);
  });

  it('continues after a failure, and reports the failure', async () => {
    const failures: string[] = [];
    let runs = 0;
    const job = new Periodic(
      async () => {
        if (++runs === 1) throw new Error('no');
      },
      (error) => failures.push(error.message),
    );
    job.start(5);
    while (runs < 2) await sleep(5);
    await job.stop();
    expect(failures).toEqual(['no']);
  });

  it('waits in stop() for the current run, and does not run afterwards', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    let runs = 0;
    const job = new Periodic(async () => {
      runs++;
      await promise;
    }, never);
    const [first, second] = [job.trigger(), job.trigger()];
    let stopped = false;
    const stopping = job.stop().then(() => (stopped = true));
    await sleep(10);
    expect(stopped).toBe(false);
    resolve();
    await Promise.all([first, second, stopping, job.trigger()]);
    expect(runs).toBe(1);
  });

  it('runs once more after the current run, for all triggers during that run', async () => {
    const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let runs = 0;
    const job = new Periodic(() => gates[runs++]!.promise, never);
    const first = job.trigger();
    const later = [job.trigger(), job.trigger()];
    gates[0]!.resolve();
    await first;
    gates[1]!.resolve();
    await Promise.all(later);
    expect(runs).toBe(2);
  });

  it('runs outside the request that triggered it', async () => {
    let seen: unknown = 'nothing';
    const job = new Periodic(async () => (seen = currentRequest()), never);
    await inRequestScope(new RequestScope('r'), () => job.trigger());
    expect(seen).toBeUndefined();
  });
});
