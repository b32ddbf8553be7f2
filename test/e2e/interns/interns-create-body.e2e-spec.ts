import { randomUUID } from 'node:crypto';
import { bearerOf } from '../../support/interns/intern-requests.js';
import { rawHttp } from '../../support/hostile/raw-http.js';
import { refusal, startInternsStage, type InternsStage, type Member } from '../../support/interns/interns-stage.js';

describe('POST /interns (specification, "create an intern")', () => {
  let stage: InternsStage;
  let me: Member;
  beforeAll(async () => {
    stage = await startInternsStage({ env: { REGIONAL_HOSTNAMES: 'eu.gateway.example, us.gateway.example' } });
  });
  afterAll(() => stage.stop());
  beforeEach(async () => {
    me = await stage.member();
  });
  const create = (json: unknown, headers?: Record<string, string>) => me.api.post('/interns', { json, headers });

  describe('the body', () => {
    it.each([
      ['no name', {}],
      ['a name that is not a string', { name: 7 }],
      ['a name of 1 character', { name: 'a' }],
      ['a name of 18 characters', { name: 'a'.repeat(18) }],
      ['a name that begins with a digit', { name: '1a' }],
      ['a name with a capital letter', { name: 'Ab' }],
      ['a name with two hyphens', { name: 'a--b' }],
      ['a name that ends with a hyphen', { name: 'ab-' }],
      ['a name that ends with a line feed', { name: 'ab\n' }],
      ['a name that is null', { name: null }],
      ['a description of 2001 characters', { name: 'ab', description: 'x'.repeat(2_001) }],
      ['a description that is not text', { name: 'ab', description: ['x'] }],
      ['a description with NUL', { name: 'ab', description: 'a\0b' }],
      ['a description with half of a surrogate pair', { name: 'ab', description: '\ud800' }],
      ['instructions of 100001 characters', { name: 'ab', instructions: 'x'.repeat(100_001) }],
      ['provision that is a string', { name: 'ab', provision: 'true' }],
      ['provision that is null', { name: 'ab', provision: null }],
      ['a vault_id that is not a UUID', { name: 'ab', vault_id: 'mine' }],
      ['a vault_id that is null', { name: 'ab', vault_id: null }],
      ['a workspace_id that is not a UUID', { name: 'ab', workspace_id: 'mine' }],
      ['the additional property model', { name: 'ab', model: 'a/b' }],
      ['the additional property status', { name: 'ab', status: 'running' }],
      ['the additional property constructor', { name: 'ab', constructor: 'x' }],
      ['the additional property toString', { name: 'ab', toString: 'x' }],
      ['a name that ends with a space', { name: 'ab ' }],
      ['a name with an underscore', { name: 'a_b' }],
      ['a name that begins with a hyphen', { name: '-ab' }],
      ['a name with a letter outside ASCII', { name: 'aé' }],
      ['instructions that are not text', { name: 'ab', instructions: { text: 'x' } }],
      ['provision that is a number', { name: 'ab', provision: 1 }],
      ['another workspace than the workspace of the key', { name: 'ab', workspace_id: randomUUID() }],
    ])('returns 400 invalid_body for %s', async (_, body) => {
      const answer = await create(body);
      expect(answer.status).toBe(400);
      expect(answer.json).toEqual(refusal(400, 'invalid_body', false));
    });

    it.each([['ab'], ['a1'], ['a-b-c-1'], ['a0-0a'], ['a'.repeat(17)]])('accepts the name %s', async (name) => {
      expect((await create({ name })).json).toMatchObject({ name });
    });

    it.each(['__proto__', '\\u005f_proto__', '__pr\\u006Fto__'])(
      'returns 400 invalid_body for the additional property %s',
      async (name) => {
        const answer = await me.api.post('/interns', {
          body: `{"name":"ab","${name}":{"provision":true}}`,
          headers: { 'content-type': 'application/json' },
        });
        expect(answer.json).toEqual(refusal(400, 'invalid_body', false));
      },
    );

    it('accepts a UUID of any version as vault_id, and returns 409 if the vault does not exist', async () => {
      for (const vault_id of [
        '11111111-1111-1111-1111-111111111111',
        '00000000-0000-0000-0000-000000000000',
        'FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF',
        randomUUID(),
      ]) {
        expect((await create({ name: 'ab', vault_id })).json).toEqual(refusal(409, 'vault_not_attachable', false));
      }
    });

    it.each(['', '[]', 'null', '"x"', '{"name":', '{"name":"ab"'])('returns 400 invalid_body for %j', async (body) => {
      const answer = await me.api.post('/interns', { body, headers: { 'content-type': 'application/json' } });
      expect(answer.json).toEqual(refusal(400, 'invalid_body', false));
    });

    it('counts the lengths of description and instructions in characters, not in UTF-16 units', async () => {
      const made = await create({
        name: 'a'.repeat(17),
        description: '😀'.repeat(2_000),
        instructions: 'ü'.repeat(100_000),
      });
      expect(made.status).toBe(201);
      expect(made.json.description).toBe('😀'.repeat(2_000));
      expect((await create({ name: 'ab', description: '😀'.repeat(2_001) })).status).toBe(400);
    });

    it('stores no idempotency record and no intern for a refused request', async () => {
      await create({ name: 'A' }, { 'idempotency-key': 'refused' });
      const rows = await stage.sql.query(
        `select 1 from intern_creation where creator_user_id = $1
         union all
         select 1 from intern where creator_user_id = $1`,
        [me.userId],
      );
      expect(rows).toEqual([]);
      expect((await create({ name: 'ok' }, { 'idempotency-key': 'refused' })).status).toBe(201);
    });
  });

  describe('content type and size', () => {
    const sized = (bytes: number): string => {
      const empty = JSON.stringify({ name: 'sized', instructions: '' });
      return `${empty.slice(0, -1)}${' '.repeat(bytes - empty.length)}}`;
    };

    it('returns 415 for a non-empty body that is not application/json', async () => {
      for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp']) {
        const answer = await me.api.post('/interns', { body: '{"name":"ab"}', headers: { 'content-type': type } });
        expect(answer.status).toBe(415);
        expect(answer.json).toEqual(refusal(415, 'unsupported_media_type', false));
      }
    });

    it('returns 400, not 415, for an empty body with any content type, also in chunks', async () => {
      expect((await me.api.post('/interns', { body: '', headers: { 'content-type': 'text/plain' } })).json).toEqual(
        refusal(400, 'invalid_body', false),
      );
      const chunked = await fetch(`${stage.origin}/api/v1/interns`, {
        method: 'POST',
        body: new ReadableStream({ start: (stream) => stream.close() }),
        duplex: 'half',
        headers: { 'content-type': 'text/plain', authorization: await bearerOf(stage, me) },
      });
      expect([chunked.status, await chunked.json()]).toEqual([400, refusal(400, 'invalid_body', false)]);
    });

    it('returns 415 for a non-empty body without a content type', async () => {
      expect((await me.api.post('/interns', { body: new TextEncoder().encode('{"name":"ab"}') })).json).toEqual(
        refusal(415, 'unsupported_media_type', false),
      );
    });

    it('accepts a chunked body of 1048576 bytes, and returns 413 for a body of one byte more', async () => {
      const chunked = async (bytes: number): Promise<[number, unknown]> => {
        const body = new Blob([sized(bytes)]).stream();
        const answer = await fetch(`${stage.origin}/api/v1/interns`, {
          method: 'POST',
          body,
          duplex: 'half',
          headers: { 'content-type': 'application/json', authorization: await bearerOf(stage, me) },
        });
        return [answer.status, await answer.json()];
      };
      expect((await chunked(1_048_576))[0]).toBe(201);
      expect(await chunked(1_048_577)).toEqual([413, refusal(413, 'payload_too_large', false)]);
      const wide = JSON.stringify({ name: 'wide', instructions: 'ü'.repeat(100_000), description: '😀'.repeat(2_000) });
      expect(
        (
          await me.api.post('/interns', {
            body: wide.padEnd(1_048_576 - 100_000 - 4_000),
            headers: { 'content-type': 'application/json' },
          })
        ).status,
      ).toBe(201);
    });

    it('accepts a body of 1048576 bytes, and returns 413 for a body of one byte more', async () => {
      const headers = { 'content-type': 'application/json' };
      expect((await me.api.post('/interns', { body: sized(1_048_576), headers })).status).toBe(201);
      const answer = await me.api.post('/interns', { body: sized(1_048_577), headers });
      expect(answer.json).toEqual(refusal(413, 'payload_too_large', false));
    });

    it('accepts application/json with a charset', async () => {
      expect(
        (
          await me.api.post('/interns', {
            body: '{"name":"ab"}',
            headers: { 'content-type': 'application/json; charset=utf-8' },
          })
        ).status,
      ).toBe(201);
    });
  });

  it('returns 408 timeout if the body does not arrive within 10 s', async () => {
    const head =
      `POST /api/v1/interns HTTP/1.1\r\nHost: gateway.example\r\n` +
      `Authorization: ${await bearerOf(stage, me)}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n` +
      `\r\n`;
    const { status, text } = await rawHttp(stage.origin, head, [Buffer.from('{"name":')]);
    expect(status).toBe(408);
    expect(JSON.parse(text.slice(text.indexOf('\r\n\r\n')))).toEqual({
      error: {
        code: 408,
        message: 'Operation timed out after 10s. Please try again later.',
        metadata: { reason: 'timeout', retryable: true },
      },
    });
  }, 30_000);
});
