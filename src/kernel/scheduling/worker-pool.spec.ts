import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { GatewayError } from '../errors/errors.js';
import { WorkerPool } from './worker-pool.js';

/** A thread that acts on its messages and counts its jobs. */
const SCRIPT = `
const { parentPort } = require('node:worker_threads');
let jobs = 0;
parentPort.on('message', (job) => {
  jobs++;
  if (job === 'exit') process.exit(3);
  if (job === 'throw') throw new Error('uncaught');
  if (job === 'hang') for (;;);
  if (job.startsWith('last')) parentPort.postMessage({ ok: job === 'last', result: job, message: 'no', isLast: true });
  else if (job === 'fail') parentPort.postMessage({ ok: false, message: 'no' });
  else parentPort.postMessage({ ok: true, result: job + ' ' + jobs });
});`;

describe('a pool of worker threads', () => {
  const never = new AbortController().signal;
  const started: Worker[] = [];
  const pools: WorkerPool<string, string>[] = [];
  const start = (script = SCRIPT): Promise<Worker> => {
    const worker = new Worker(script, { eval: true });
    started.push(worker);
    return Promise.resolve(worker);
  };
  const aPool = (
    options: { size?: number; budgetMs?: number; retries?: number; start?: () => Promise<Worker> } = {},
  ): WorkerPool<string, string> => {
    const pool = new WorkerPool<string, string>({
      name: 'echo',
      size: 1,
      budgetMs: 60_000,
      start: () => start(),
      ...options,
    });
    pools.push(pool);
    return pool;
  };

  afterEach(async () => {
    await Promise.all(pools.splice(0).map((pool) => pool.close()));
    started.splice(0);
  });

  it('starts no thread before the first job, and no more threads than its size', async () => {
    const pool = aPool({ size: 2 });
    expect(pool.state()).toEqual({ queued: 0, busy: 0, threads: 0 });
    await Promise.all(['a', 'b', 'c', 'd', 'e'].map((job) => pool.run(job, never)));
    expect(pool.state()).toEqual({ queued: 0, busy: 0, threads: 2 });
    expect(started).toHaveLength(2);
  });

  it('runs jobs in the order of their arrival', async () => {
    const order: string[] = [];
    const pool = aPool();
    await Promise.all(['a', 'b', 'c'].map(async (job) => order.push(await pool.run(job, never))));
    expect(order).toEqual(['a 1', 'b 2', 'c 3']);
  });

  it('fails a job if its thread replies with an error, and keeps the thread', async () => {
    const pool = aPool();
    await expect(pool.run('fail', never)).rejects.toMatchObject({ kind: 'provider_failed' });
    expect(await pool.run('a', never)).toBe('a 2');
  });

  it('returns the result of a reply with isLast, and replaces the thread', async () => {
    const pool = aPool();
    const ended = once(await start(), 'exit');
    const given = aPool({ start: () => Promise.resolve(started[0]!) });
    expect(await given.run('last', never)).toBe('last');
    await ended;
    await expect(pool.run('last as a failure', never)).rejects.toMatchObject({ kind: 'provider_failed' });
    expect(await pool.run('a', never)).toBe('a 1');
  });

  it.each(['exit', 'throw'])(
    'tries a job twice if its thread ends by %s, then fails the job and runs the next job',
    async (job) => {
      const pool = aPool();
      const next = [pool.run(job, never), pool.run('a', never)];
      await expect(next[0]).rejects.toMatchObject({ kind: 'provider_failed' });
      expect(await next[1]).toBe('a 1');
      expect(started).toHaveLength(3);
    },
  );

  it.each([
    [0, 1],
    [1, 2],
    [2, 3],
  ])('does not state the number of attempts when a job with %i retries fails', async (retries, threads) => {
    await expect(aPool({ retries }).run('exit', never)).rejects.toThrow(
      'The built-in echo stopped unexpectedly. Try again.',
    );
    expect(started).toHaveLength(threads);
  });

  it('runs a job again in the next thread if its thread was killed', async () => {
    const pool = aPool({ start: () => start(started.length === 0 ? SCRIPT.replace("'hang'", "'a'") : SCRIPT) });
    await pool.run('warm', never);
    const job = pool.run('a', never);
    await started[0]!.terminate();
    expect(await job).toBe('a 1');
    expect(started).toHaveLength(2);
  });

  it('replaces a thread that hangs, and fails its job', async () => {
    const pool = aPool({ budgetMs: 1_000 });
    await expect(pool.run('hang', never)).rejects.toMatchObject({ kind: 'provider_failed' });
    expect(await pool.run('a', never)).toBe('a 1');
    expect(started).toHaveLength(2);
  });

  it('rejects an aborted job at once, even if its thread hangs, and frees the thread', async () => {
    const pool = aPool();
    const caller = new AbortController();
    const hanging = pool.run('hang', caller.signal);
    const waiting = pool.run('a', never);
    caller.abort();
    await expect(hanging).rejects.toMatchObject({ kind: 'caller_gone' });
    expect(await waiting).toBe('a 1');
  });

  it('removes an aborted job from the queue', async () => {
    const pool = aPool();
    const caller = new AbortController();
    const [first, second, third] = [pool.run('a', never), pool.run('b', caller.signal), pool.run('c', never)];
    caller.abort(new GatewayError('provider_timeout', 'too late'));
    await expect(second).rejects.toMatchObject({ kind: 'provider_timeout', message: 'too late' });
    expect([await first, await third]).toEqual(['a 1', 'c 2']);
    await expect(pool.run('d', caller.signal)).rejects.toMatchObject({ kind: 'provider_timeout' });
  });

  it('fails one job for each failed start of a thread, and recovers', async () => {
    let broken = true;
    const pool = aPool({ start: () => (broken ? Promise.reject(new Error('no module')) : start()) });
    await expect(pool.run('a', never)).rejects.toMatchObject({ kind: 'provider_failed' });
    broken = false;
    expect(await pool.run('b', never)).toBe('b 1');
  });

  it('fails current and later jobs when it is closed', async () => {
    const pool = aPool();
    await pool.run('warm', never);
    const outcomes = Promise.allSettled([pool.run('hang', never), pool.run('a', never)]);
    await pool.close();
    const refused = { status: 'rejected', reason: expect.objectContaining({ kind: 'unavailable' }) };
    expect(await outcomes).toEqual([refused, refused]);
    await expect(pool.run('b', never)).rejects.toMatchObject({ kind: 'unavailable' });
    expect(pool.state()).toEqual({ queued: 0, busy: 0, threads: 0 });
  });

  it('keeps the process alive only while a job is running', async () => {
    let holds = true;
    const pool = aPool({
      start: async () => {
        const worker = await start();
        const { ref, unref } = worker;
        worker.ref = () => {
          holds = true;
          ref.call(worker);
        };
        worker.unref = () => {
          holds = false;
          unref.call(worker);
        };
        return worker;
      },
    });
    await pool.run('warm', never);
    expect(holds).toBe(false);
    const job = pool.run('a', never);
    expect(holds).toBe(true);
    await job;
    expect(holds).toBe(false);
  });
});
