import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { Client } from 'pg';
import { CREATION_STEPS, CreationWitness } from '../../../src/interns/intern-creation.js';
import type { ApiAnswer } from '../../support/api/api-client.js';
import { startInternsStage, type InternsStage, type Member } from '../../support/interns/interns-stage.js';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.js';
import type { CreationOrder } from './intern-creation.child.js';

const MASTER_KEY = randomBytes(32).toString('hex');

describe('the creation of an intern during failures', () => {
  let stage: InternsStage;
  let folder: TemporaryFolder;
  let me: Member;
  beforeAll(async () => {
    folder = await temporaryFolder();
    stage = await startInternsStage({ env: { MASTER_KEY, INTERN_RUNTIME: 'none' } });
  });
  afterAll(async () => {
    await stage.stop();
    await folder.remove();
  });
  beforeEach(async () => {
    me = await stage.member();
  });
  const request = { name: 'ab', description: null, instructions: 'Watch.', provision: true, vaultId: null };
  const { vaultId: _, ...json } = request;
  const create = () => me.api.post('/interns', { json, headers: { 'idempotency-key': 'the-key' } });
  const count = async (table: string, column: string, value: string): Promise<bigint> =>
    (await stage.sql.query<{ n: bigint }>(`select count(*) as n from ${table} where ${column} = $1`, [value]))[0]!.n;

  async function expectOneWholeIntern(answer: ApiAnswer): Promise<void> {
    expect(await count('intern', 'creator_user_id', me.userId)).toBe(1n);
    expect(await count('vault', 'workspace_id', me.workspaceId)).toBe(1n);
    expect(await count('vault', 'id', answer.json.vault_id)).toBe(1n);
    expect(
      await count(
        'data_key',
        'id',
        (
          await stage.sql.query<{ id: string }>('select data_key_id as id from vault where id = $1', [
            answer.json.vault_id,
          ])
        )[0]!.id,
      ),
    ).toBe(1n);
    expect(answer.json.status).toBe('queued');
    const [row] = await stage.sql.query<{ due: boolean }>(
      'select wake_at <= clock_timestamp() and deadline > clock_timestamp() as due from intern where id = $1',
      [answer.json.id],
    );
    expect(row!.due).toBe(true);
  }

  it('50 identical concurrent requests create one intern and one vault: one gets 201, 49 get 200', async () => {
    const keysBefore = (await stage.sql.query('select 1 from data_key')).length;
    const answers = await Promise.all(Array.from({ length: 50 }, create));

    const made = answers.filter(({ status }) => status === 201);
    expect(made).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(49);
    await expectOneWholeIntern(made[0]!);
    expect((await stage.sql.query('select 1 from data_key')).length).toBe(keysBefore + 1);
  });

  it.each(CREATION_STEPS)(
    'if the service is killed with kill -9 after the step "%s", a repeated request completes the same intern',
    async (dieAfter) => {
      const order: CreationOrder = {
        databaseUrl: stage.databaseUrl,
        masterKey: MASTER_KEY,
        dataDir: folder.path,
        request,
        dieAfter,
        actor: {
          accountId: me.accountId,
          workspaceId: me.workspaceId,
          userId: me.userId,
          keyHash: '0'.repeat(64),
          keyNo: 1,
        },
      };
      const root = resolve(import.meta.dirname, '../../..');
      const child = spawn(
        process.execPath,
        ['--import', './dev/typescript-loader.ts', 'test/system/kills/intern-creation.child.ts', JSON.stringify(order)],
        { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] },
      );
      const [, signal] = (await once(child, 'exit')) as [number | null, string | null];
      expect(signal).toBe('SIGKILL');

      const [claim] = await stage.sql.query<{ intern_id: string }>(
        'select intern_id from intern_creation where creator_user_id = $1',
        [me.userId],
      );
      const answer = await create();
      expect([answer.status, answer.json.id]).toEqual([dieAfter === 'queue' ? 200 : 201, claim!.intern_id]);
      await expectOneWholeIntern(answer);
    },
    60_000,
  );

  it.each(['row', 'vault'] as const)(
    'returns 502 upstream_unavailable if it fails after the step "%s", and a repeated request completes the intern',
    async (failing) => {
      const witness = stage.app.get(CreationWitness, { strict: false });
      const { after } = witness;
      witness.after = async (step) => {
        if (step === failing) throw new Error('the database went away');
      };
      const failed = await create();
      witness.after = after;

      expect(failed.json).toEqual({
        error: {
          code: 502,
          message: expect.any(String),
          metadata: { reason: 'upstream_unavailable', retryable: true },
        },
      });
      const answer = await create();
      expect(answer.status).toBe(201);
      await expectOneWholeIntern(answer);
    },
  );

  it('returns 500 internal_error, which is retryable, if it fails before the intern exists', async () => {
    const witness = stage.app.get(CreationWitness, { strict: false });
    const { after } = witness;
    witness.after = async () => {
      throw new Error('the database went away');
    };
    const failed = await create();
    witness.after = after;
    expect(failed.json).toEqual({
      error: {
        code: 500,
        message: expect.not.stringContaining('database'),
        metadata: { reason: 'internal_error', retryable: true },
      },
    });
    expect((await create()).status).toBe(201);
  });

  it('returns 408 timeout after 10 s, and a repeated request finds the intern afterwards', async () => {
    const blocker = new Client({ connectionString: stage.databaseUrl });
    await blocker.connect();
    try {
      await blocker.query('begin');
      await blocker.query('select 1 from member where user_id = $1 for update', [me.userId]);
      const late = await create();
      expect(late.json).toEqual({
        error: {
          code: 408,
          message: 'Operation timed out after 10s. Please try again later.',
          metadata: { reason: 'timeout', retryable: true },
        },
      });
    } finally {
      await blocker.end();
    }
    const answer = await create();
    expect([200, 201]).toContain(answer.status);
    await expectOneWholeIntern(answer);
  });

  it('forgets a completed creation after 24 hours: the same key may then create another intern', async () => {
    await create();
    await stage.sql.query(
      `update intern_creation set completed_at = completed_at - interval '24 hours' where creator_user_id = $1`,
      [me.userId],
    );
    const other = await me.api.post('/interns', { json: { name: 'other' }, headers: { 'idempotency-key': 'the-key' } });
    expect(other.status).toBe(201);
  });
});
