import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { CreationWitness, type CreationStep } from '../../../src/interns/intern-creation.js';
import { refusal, startInternsStage, type InternsStage, type Member } from '../../support/interns/interns-stage.js';

describe('POST /interns: one request, one intern (specification, rules 2 to 5)', () => {
  let stage: InternsStage;
  let me: Member;
  beforeAll(async () => {
    stage = await startInternsStage({ env: { INTERN_RUNTIME: 'none', INTERN_LIMIT_PER_MEMBER: '10' } });
  });
  afterAll(() => stage.stop());
  beforeEach(async () => {
    me = await stage.member();
  });
  const create = (json: unknown, headers?: Record<string, string>) => me.api.post('/interns', { json, headers });

  describe('a duplicate of a request that is still running', () => {
    /** Pauses the first creation after this step until `release` is called. Later creations are not paused. */
    function holdFirst(step: CreationStep): { readonly reached: Promise<void>; release(failure?: Error): void } {
      const witness = stage.app.get(CreationWitness, { strict: false });
      const { after } = witness;
      let release!: (failure?: Error) => void;
      const held = new Promise<void>((resolve, reject) => {
        release = (failure) => (failure ? reject(failure) : resolve());
      });
      const reached = new Promise<void>((resolve) => {
        witness.after = async (passed) => {
          if (passed !== step) return;
          witness.after = after;
          resolve();
          await held;
        };
      });
      return { reached, release };
    }

    it.each(['claim', 'row', 'vault'] as const)(
      'waits while the first request is paused after the step "%s", and gets 200 with the intern of the first request',
      async (step) => {
        const hold = holdFirst(step);
        const first = create({ name: 'ab' }, { 'idempotency-key': 'k' });
        await hold.reached;
        const duplicates = [
          create({ name: 'ab' }, { 'idempotency-key': 'k' }),
          create({ name: 'ab' }, { 'idempotency-key': 'k' }),
        ];
        expect(await Promise.race([...duplicates, sleep(700, 'waiting')])).toBe('waiting');
        hold.release();
        const answers = await Promise.all([first, ...duplicates]);
        expect(answers.map(({ status }) => status)).toEqual([201, 200, 200]);
        expect(new Set(answers.map(({ json }) => json.id)).size).toBe(1);
      },
    );

    it('also waits if the idempotency key is derived from the request', async () => {
      const hold = holdFirst('row');
      const first = create({ name: 'ab' });
      await hold.reached;
      const duplicate = create({ name: 'ab' });
      await sleep(200);
      hold.release();
      expect([(await first).status, (await duplicate).status]).toEqual([201, 200]);
    });

    it('gets 409 idempotency_key_reused at once if it differs from the first request', async () => {
      const hold = holdFirst('row');
      const first = create({ name: 'ab' }, { 'idempotency-key': 'k' });
      await hold.reached;
      const other = await create({ name: 'cd' }, { 'idempotency-key': 'k' });
      hold.release();
      expect(other.json).toEqual(refusal(409, 'idempotency_key_reused', false));
      expect((await first).status).toBe(201);
    });

    it('creates the intern itself if the first request is refused or fails', async () => {
      const hold = holdFirst('row');
      const first = create({ name: 'ab' }, { 'idempotency-key': 'k' });
      await hold.reached;
      const duplicate = create({ name: 'ab' }, { 'idempotency-key': 'k' });
      await sleep(200);
      hold.release(new Error('the connection to the database was lost'));
      expect((await first).json).toEqual(refusal(502, 'upstream_unavailable', true));
      expect((await duplicate).status).toBe(201);
    });

    it('gets 201 if the first request stalls longer than its lease; the first request then gets 200', async () => {
      const hold = holdFirst('row');
      const first = create({ name: 'ab' }, { 'idempotency-key': 'k' });
      await hold.reached;
      const duplicates = await Promise.all([1, 2].map(() => create({ name: 'ab' }, { 'idempotency-key': 'k' })));
      hold.release();
      expect(duplicates.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 201]);
      expect((await first).status).toBe(200);
      expect(new Set([await first, ...duplicates].map(({ json }) => json.id)).size).toBe(1);
    }, 20_000);

    it('gets 409 request_in_progress with Retry-After, not a timeout, if the first request is stuck', async () => {
      const blocker = new Client({ connectionString: stage.databaseUrl });
      await blocker.connect();
      try {
        await blocker.query('begin');
        await blocker.query('select 1 from member where user_id = $1 for update', [me.userId]);
        const first = create({ name: 'ab' }, { 'idempotency-key': 'k' });
        await sleep(1000);
        const duplicate = await create({ name: 'ab' }, { 'idempotency-key': 'k' });
        expect(duplicate.json).toEqual(refusal(409, 'request_in_progress', true));
        expect(duplicate.headers.get('retry-after')).toBe('1');
        expect((await first).status).toBe(408);
      } finally {
        await blocker.end();
      }
    }, 30_000);
  });
});
