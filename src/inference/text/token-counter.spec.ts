import { Worker } from 'node:worker_threads';
import { TokenCounter, type TokenCounterOptions } from './token-counter.js';

/** A thread that counts one token per two characters. A text such as `exit` or `hang` makes the thread exit or hang. */
const SCRIPT = `
const { parentPort } = require('node:worker_threads');
parentPort.on('message', (text) => {
  if (text.startsWith('exit')) process.exit(3);
  if (text.startsWith('throw')) throw new Error('uncaught');
  if (text.startsWith('hang')) for (;;);
  if (text.startsWith('wait')) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000);
  const cpuMs = process.threadCpuUsage().user / 1000;
  const result = { tokens: text.length / 2, cpuMs: 1 };
  parentPort.postMessage(text.startsWith('fail') ? { ok: false, cpuMs } : { ok: true, result, cpuMs });
});`;

describe('a token counter', () => {
  const counters: TokenCounter[] = [];
  const started: Worker[] = [];
  const aCounter = (options: TokenCounterOptions = {}): TokenCounter => {
    const counter = new TokenCounter(options);
    counters.push(counter);
    return counter;
  };
  const scripted = (options: TokenCounterOptions = {}): TokenCounter =>
    aCounter({
      start: () => {
        const worker = new Worker(SCRIPT, { eval: true });
        started.push(worker);
        return worker;
      },
      ...options,
    });

  afterEach(async () => {
    await Promise.all(counters.splice(0).map((counter) => counter.onApplicationShutdown()));
    started.splice(0);
  });

  it('counts like the published vocabulary, and counts special tokens as text', async () => {
    const counter = aCounter();
    expect(counter.state()).toEqual({ jobs: 0, isRunning: false });
    await expect(counter.count(['hello world'])).resolves.toMatchObject({ tokens: 2, isBound: false });
    await expect(counter.count(['', 'hello', ' world'])).resolves.toMatchObject({ tokens: 2, isBound: false });
    const special = await counter.count(['<|endoftext|>']);
    expect(special.tokens).toBeGreaterThan(1);
    await expect(counter.count([])).resolves.toMatchObject({ tokens: 0, isBound: false });
  });

  it.each([
    ['one letter', 'a'],
    ['blanks', ' '],
    ['emoji', '😀'],
    ['random letters', 'qzxjkvwpy'],
    ['special tokens', '<|endoftext|>'],
  ])(
    'counts a long run of %s without a fallback, with at most one token per byte',
    async (_, unit) => {
      const counter = aCounter();
      const text = unit.repeat(Math.ceil(300_000 / unit.length));
      const { tokens, isBound } = await counter.count([text]);
      expect(isBound).toBe(false);
      expect(tokens).toBeGreaterThan(1_000);
      expect(tokens).toBeLessThanOrEqual(Buffer.byteLength(text));
    },
    60_000,
  );

  it('sends a large text to the thread in pieces, and counts short texts between the pieces', async () => {
    const counter = scripted();
    const order: string[] = [];
    const long = counter.count(['y'.repeat(25_000_000)]).then(({ tokens }) => order.push(`long ${tokens}`));
    const short = counter.count(['ab']).then(({ tokens }) => order.push(`short ${tokens}`));
    await Promise.all([long, short]);
    expect(order).toEqual(['short 1', 'long 12500000']);
    expect(started).toHaveLength(1);
  }, 60_000);

  it.each(['exit', 'throw', 'hang', 'fail'])(
    'counts each byte of a text as a token if the thread fails by %s, and continues with the next text',
    async (text) => {
      const counter = scripted({ budgetMs: 1_000 });
      const jobs = [counter.count([`${text}ä`]), counter.count(['abcd'])];
      await expect(Promise.all(jobs)).resolves.toMatchObject([
        { tokens: text.length + 2, isBound: true },
        { tokens: 2, isBound: false },
      ]);
    },
  );

  it('counts a text even if the thread waits longer than the budget, which limits only CPU time', async () => {
    const counter = scripted({ budgetMs: 300 });
    const counted = [counter.count(['wait']), counter.count(['abcd'])];
    await expect(Promise.all(counted)).resolves.toMatchObject([
      { tokens: 2, isBound: false },
      { tokens: 2, isBound: false },
    ]);
    expect(started).toHaveLength(1);
  });

  it('reports how much CPU time a text took', async () => {
    const counter = aCounter();
    const { cpuMs: ofShort } = await counter.count(['hello']);
    const { cpuMs: ofLong } = await counter.count(['😀'.repeat(100_000)]);
    const { cpuMs: ofNext } = await counter.count(['hello']);
    expect([ofShort > 0, ofLong > 10, ofNext < ofLong, ofNext > 0]).toEqual([true, true, true, true]);
  });

  it('counts a text for a bill before a queued estimate that was requested earlier', async () => {
    const counter = scripted();
    const order: string[] = [];
    const jobs = [counter.count(['first'], 'estimate').then(() => order.push('first estimate'))];
    jobs.push(counter.count(['second'], 'estimate').then(() => order.push('second estimate')));
    jobs.push(counter.count(['third']).then(() => order.push('bill')));
    await Promise.all(jobs);
    expect(order).toEqual(['first estimate', 'bill', 'second estimate']);
  });

  it('counts a text for a bill even if estimates have filled their queue', async () => {
    const counter = scripted({ maxQueuedCharacters: 10 });
    const estimates = [counter.count(['abcdefghij'], 'estimate'), counter.count(['ab'], 'estimate')];
    await expect(counter.count(['abcdefghij'])).resolves.toMatchObject({ tokens: 5, isBound: false });
    await expect(Promise.all(estimates)).resolves.toMatchObject([{ isBound: false }, { isBound: true }]);
  });

  it('counts each byte of a text as a token if no thread can be started', async () => {
    const counter = aCounter({
      start: () => {
        throw new Error('no');
      },
    });
    const counted = await Promise.all(Array.from({ length: 20_000 }, () => counter.count(['abc'])));
    expect(new Set(counted.map(({ tokens, isBound }) => `${tokens} ${isBound}`))).toEqual(new Set(['3 true']));
  });

  it('counts each byte of a text as a token if the text does not fit into the queue', async () => {
    const counter = scripted({ maxQueuedCharacters: 10 });
    const jobs = [counter.count(['abcdef']), counter.count(['abcdef'])];
    await expect(Promise.all(jobs)).resolves.toMatchObject([
      { tokens: 3, isBound: false },
      { tokens: 6, isBound: true },
    ]);
    await expect(counter.count(['abcdefghij'])).resolves.toMatchObject({ tokens: 5, isBound: false });
  });

  it('ends its thread when idle, and starts a new thread for the next text', async () => {
    const counter = scripted({ idleMs: 1 });
    await counter.count(['ab']);
    await new Promise((resolve) => started[0]!.once('exit', resolve));
    expect(counter.state()).toEqual({ jobs: 0, isRunning: false });
    await expect(counter.count(['ab'])).resolves.toMatchObject({ tokens: 1, isBound: false });
    expect(started).toHaveLength(2);
  });

  it('counts each byte of current and later texts as a token after it is closed', async () => {
    const counter = scripted();
    const jobs = [counter.count(['hang']), counter.count(['ab'])];
    await counter.onApplicationShutdown();
    jobs.push(counter.count(['abc']));
    const bounds = [4, 2, 3].map((tokens) => ({ tokens, isBound: true }));
    await expect(Promise.all(jobs)).resolves.toMatchObject(bounds);
    expect(counter.state()).toEqual({ jobs: 0, isRunning: false });
  });
});
