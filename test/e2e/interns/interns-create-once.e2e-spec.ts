import { randomUUID } from 'node:crypto';
import { makeWorkspace } from '../../support/api/api-builders.js';
import { bearerOf } from '../../support/interns/intern-requests.js';
import { rawHttp } from '../../support/hostile/raw-http.js';
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

  describe('Idempotency-Key', () => {
    it.each([
      ['empty', ''],
      ['of 256 characters', 'k'.repeat(256)],
    ])('is refused with 400 if it is %s, before the body is checked', async (_, key) => {
      const answer = await me.api.post('/interns', {
        body: '{',
        headers: { 'content-type': 'application/json', 'idempotency-key': key },
      });
      expect(answer.json).toEqual(refusal(400, 'invalid_body', false));
      expect(answer.json.error.message).toContain('Idempotency-Key');
    });

    it('may have 1 or 255 characters', async () => {
      expect((await create({ name: 'short' }, { 'idempotency-key': 'k' })).status).toBe(201);
      expect((await create({ name: 'long' }, { 'idempotency-key': 'k'.repeat(255) })).status).toBe(201);
    });

    it.each([
      ['UTF-8', 'utf8'],
      ['Latin-1', 'latin1'],
    ] as const)('in %s may have 255 characters, but not 256', async (_, encoding) => {
      const authorization = await bearerOf(stage, me);
      const statusWith = async (key: string, name: string): Promise<number> => {
        const body = JSON.stringify({ name });
        const head =
          `POST /api/v1/interns HTTP/1.1\r\nHost: gateway.example\r\nAuthorization: ${authorization}\r\n` +
          `Content-Type: application/json\r\nConnection: close\r\nContent-Length: ${body.length}\r\n` +
          `Idempotency-Key: `;
        return (
          await rawHttp(stage.origin, '', [
            Buffer.from(head),
            Buffer.from(key, encoding),
            Buffer.from(`\r\n\r\n${body}`),
          ])
        ).status;
      };
      expect(await statusWith('é'.repeat(255), 'ab')).toBe(201);
      expect(await statusWith('é'.repeat(255), 'ab')).toBe(200);
      expect(await statusWith('é'.repeat(256), 'cd')).toBe(400);
    });

    it('of an earlier request leads to 200 with the current state of the intern (rule 3)', async () => {
      const first = await create({ name: 'ab', instructions: 'one' }, { 'idempotency-key': 'again' });
      await me.api.patch(`/interns/${first.json.id}`, { json: { instructions: 'two' } });
      const replay = await create({ name: 'ab', instructions: 'one' }, { 'idempotency-key': 'again' });
      expect([first.status, replay.status]).toEqual([201, 200]);
      expect(replay.json).toMatchObject({ id: first.json.id, vault_id: first.json.vault_id, instructions: 'two' });
    });

    it('is derived from the request if absent, for any order of members, with or without defaults', async () => {
      const first = await me.api.post('/interns', {
        body: '{"name":"ab","description":"d"}',
        headers: { 'content-type': 'application/json' },
      });
      const again = await me.api.post('/interns', {
        body:
          `{ "provision": false, "description":"d", "instructions": null, "workspace_id": ` +
          `"${me.workspaceId.toUpperCase()}", "name": "ab" }`,
        headers: { 'content-type': 'application/json' },
      });
      expect([first.status, again.status, again.json.id]).toEqual([201, 200, first.json.id]);
    });

    it('of a different request leads to 409 idempotency_key_reused (rule 4), before name_taken', async () => {
      await create({ name: 'ab' }, { 'idempotency-key': 'once' });
      expect((await create({ name: 'ab', description: 'other' }, { 'idempotency-key': 'once' })).json).toEqual(
        refusal(409, 'idempotency_key_reused', false),
      );
    });

    it('belongs to its creator: two members may use the same value', async () => {
      const colleague = await stage.member({ accountOf: me });
      const mine = await create({ name: 'ab' }, { 'idempotency-key': 'shared' });
      const theirs = await colleague.api.post('/interns', {
        json: { name: 'ab' },
        headers: { 'idempotency-key': 'shared' },
      });
      expect([mine.status, theirs.status]).toEqual([201, 201]);
      expect(theirs.json.id).not.toBe(mine.json.id);
    });

    it('belongs to its workspace: a member may use the same value and name in two workspaces', async () => {
      const { id } = await makeWorkspace(await stage.keyOf(me, { keyClass: 'management' }));
      const there = await stage.keyOf(me, { keyClass: 'standard', workspaceId: id });
      const answers = [
        await create({ name: 'ab' }, { 'idempotency-key': 'k' }),
        await there.post('/interns', { json: { name: 'ab' }, headers: { 'idempotency-key': 'k' } }),
      ];
      expect(answers.map(({ status, json }) => [status, json.workspace_id])).toEqual([
        [201, me.workspaceId],
        [201, id],
      ]);
      expect((await there.get(`/interns/${answers[0]!.json.id}`)).status).toBe(404);
    });

    it('is not claimed by a request that is refused, and may then be used for a different request', async () => {
      await create({ name: 'ab' });
      expect((await create({ name: 'ab', description: 'x' }, { 'idempotency-key': 'k' })).status).toBe(409);
      expect((await create({ name: 'cd', vault_id: randomUUID() }, { 'idempotency-key': 'k' })).status).toBe(409);
      expect((await create({ name: 'cd', description: 'x' }, { 'idempotency-key': 'k' })).status).toBe(201);
    });

    it('differs from a derived key: the same request with a given key is a new request', async () => {
      await create({ name: 'ab' });
      expect((await create({ name: 'ab' }, { 'idempotency-key': 'k' })).json).toEqual(
        refusal(409, 'name_taken', false),
      );
    });

    it('is kept for at least 23 hours and 59 minutes after the completion', async () => {
      const { json } = await create({ name: 'ab' }, { 'idempotency-key': 'k' });
      await stage.sql.query(
        `update intern_creation set completed_at = completed_at - interval '23 hours 59 minutes'
         where creator_user_id = $1`,
        [me.userId],
      );
      expect((await create({ name: 'ab' }, { 'idempotency-key': 'k' })).json.id).toBe(json.id);
    });

    it('is stored without its value and without the texts of the request', async () => {
      await create({ name: 'ab', instructions: 'very private' }, { 'idempotency-key': 'my-own-key' });
      const [row] = await stage.sql.query<{ text: string }>(
        'select c::text as text from intern_creation c where creator_user_id = $1',
        [me.userId],
      );
      expect(row!.text).not.toMatch(/private|my-own-key/);
    });
  });
});
