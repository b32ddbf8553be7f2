import { RandomNumbers } from '../support/random-numbers.js';
import { errorLines } from './error-lines.js';
import { Findings } from './findings.js';
import type { FuzzKey, FuzzRequest } from './requests/fuzz-request.js';
import { KeyRing } from './key-ring.js';
import { KnownThings } from './known-things.js';
import { learn } from './learn.js';
import { MemoryWatch } from './memory-watch.js';
import { RequestMaker } from './requests/request-maker.js';
import { slowness, stallLimitMs } from '../support/services/stall-limit.js';

const KEY: FuzzKey = {
  name: 'management',
  header: 'Bearer sk-gh-v1-0123456789abcdef',
  account: 'first',
  column: 'management',
};
const REQUEST: FuzzRequest = {
  index: 7,
  method: 'POST',
  path: '/api/v1/keys',
  key: KEY,
  headers: { authorization: KEY.header! },
  body: '{"name":"x","key":"sk-the-vendors-own"}',
  named: [],
  leaves: false,
};
const body = {
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 9 },
    limit: { type: 'integer', minimum: 0, maximum: 5 },
  },
  required: ['name'],
};
const DOCUMENT = {
  openapi: '3.1.0',
  info: { title: '', version: '' },
  paths: {
    '/api/v1/keys': { post: { requestBody: { content: { 'application/json': { schema: body } } }, responses: {} } },
    '/api/v1/keys/{hash}': { get: { responses: {} } },
  },
};

describe('the requests of a fuzz', () => {
  const sequence = (seed: number, id = 'a'.repeat(64)): FuzzRequest[] => {
    const known = new KnownThings();
    known.add('key', 'first', id);
    const maker = new RequestMaker(DOCUMENT, seed, new KeyRing([KEY]), known);
    return Array.from({ length: 300 }, (_, index) => maker.make(index));
  };

  it('are the same for the same seed, and different for another seed', () => {
    expect(sequence(1)).toEqual(sequence(1));
    expect(sequence(1)).not.toEqual(sequence(2));
  });

  it('do not change their order if a response returned another id', () => {
    const shape = ({ method, key, path }: FuzzRequest): unknown => [method, key.name, path.split('/').length];
    expect(sequence(1, 'b'.repeat(64)).map(shape)).toEqual(sequence(1).map(shape));
  });

  it('use ids from earlier responses, also of deleted objects', () => {
    const known = new KnownThings();
    const made = {
      status: 201,
      headers: new Headers({ 'content-type': 'application/json' }),
      body: Buffer.from('{"data":{"hash":"abc"},"key":"s"}'),
    };
    learn(known, REQUEST, made);
    const thing = known.pick(new RandomNumbers(1), 'key', 'first')!;
    expect(thing).toMatchObject({ id: 'abc', account: 'first', gone: false });
    const deletion = (path: string): FuzzRequest => ({ ...REQUEST, method: 'DELETE', path, named: [thing] });
    learn(known, deletion('/api/v1/keys/abc/raise'), { ...made, status: 200 });
    expect(thing.gone).toBe(false);
    learn(known, deletion('/api/v1/keys/abc'), { ...made, status: 200 });
    expect(known.pick(new RandomNumbers(1), 'key', 'first')).toMatchObject({ id: 'abc', gone: true });
  });
});

describe('the findings of a fuzz', () => {
  it('are counted by their kind, and show how to reproduce them without a secret', () => {
    const printed: string[] = [];
    const findings = new Findings(5, (text) => printed.push(text));
    for (let time = 0; time < 3; time++)
      findings.add('status 500', REQUEST, {
        status: 500,
        headers: new Headers(),
        body: Buffer.from('{"key":"sk-gh-v1-secret"}'),
      });
    expect(findings.lines).toEqual(['3 × status 500 (POST /api/v1/keys, 500)']);
    expect(printed).toHaveLength(2);
    expect(printed[0]).toContain('--seed 5 --requests 8');
    expect(printed.join()).not.toMatch(/sk-the|sk-gh|0123456789abcdef/);
  });

  it('report memory that grows from the second to the last quarter', async () => {
    const grown = async (perSample: number): Promise<string[]> => {
      const memory = new MemoryWatch();
      for (let at = 0; at < 32; at++)
        await memory.sample({
          memory: () => Promise.resolve({ used: 1e8 + at * perSample, rss: 3e8 + at * perSample }),
        });
      return memory.faults(200_000);
    };
    expect(await grown(0)).toEqual([]);
    expect(await grown(1e6)).toEqual([]);
    expect(await grown(2e7)).toEqual([
      expect.stringContaining('memory in use grew'),
      expect.stringContaining('resident memory grew'),
    ]);
  });

  it('do not count cached responses of the service as growing memory', async () => {
    const memory = new MemoryWatch();
    for (let at = 0; at < 32; at++) {
      memory.keeps(`/api/v1/models?q=${at}`, 4e6);
      memory.keeps('/api/v1/models?q=0', 4e6);
      await memory.sample({ memory: () => Promise.resolve({ used: 1e8 + at * 4e6, rss: 3e8 + at * 4e6 }) });
    }
    expect(memory.faults(200_000)).toEqual([]);
  });

  it('report lines of the log at error and fatal, and output outside the log', () => {
    const line = (level: string): string => `{"level":"${level}","msg":"x"}`;
    const output = [line('info'), line('error'), line('warn'), line('fatal'), 'Error: at x.ts', ''].join('\n');
    expect(errorLines(output)).toEqual([line('error'), line('fatal'), 'Error: at x.ts']);
  });

  it('include a stall only if it is longer than 50 ms plus 5 ms per MB', () => {
    expect([stallLimitMs(0), stallLimitMs(2_000_000)]).toEqual([50, 60]);
  });

  it('allow longer stalls on a slow machine, and the usual stalls on a fast machine', () => {
    expect([slowness(5), slowness(15), slowness(30)]).toEqual([1, 1, 2]);
  });
});
