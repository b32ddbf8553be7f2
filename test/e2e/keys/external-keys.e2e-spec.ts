import { startTestService, TEST_API_KEY, type TestService } from '../../support/services/test-service.js';

/** The minimum: 32 characters, 10 of them different. */
const MIN_SECRET = 'abcdefghij'.repeat(3) + 'ab';

describe('keys with a secret that the caller supplies', () => {
  let service: TestService;
  let logged = '';
  beforeAll(async () => {
    const logTo = (text: string): void => void (logged += text);
    service = await startTestService({ env: { LOG_LEVEL: 'debug' }, logTo });
  });
  afterAll(() => service.stop());
  const create = (external: unknown, fields: object = {}) =>
    service.management.post('/keys', { json: { name: 'Moved in', external, ...fields } });
  const supplied = (mark: string): string => `acme-${mark}-5f0c2b7e9d1a4c3886e2f7b1d09a4c55`;

  it('work as bearer keys as soon as they are created', async () => {
    const secret = supplied('works');
    expect((await service.as(secret).get('/key')).status).toBe(401);
    const created = await create({ user: 'user-1', api_key: secret });

    expect([created.status, created.json.key, created.json.data.external_user]).toEqual([201, '', 'user-1']);
    const own = await service.as(secret).get('/key');
    expect([own.status, own.json.data.label]).toEqual([200, created.json.data.label]);
  });

  it('have a secret that no response, no row and no log line contains', async () => {
    const secret = supplied('canary');
    const created = await create({ user: 'user-2', api_key: secret });
    await service.as(secret).get('/key');
    const again = await create({ user: 'user-2', api_key: secret });
    const read = await service.management.get(`/keys/${created.json.data.hash}`);

    for (const { text } of [created, again, read]) expect(text).not.toContain('canary');
    for (const table of ['api_key', 'audit_entry']) {
      const [row] = await service.sql.query<{ found: number }>(
        `select count(*)::int as found from ${table} t where t::text like '%canary%'`,
      );
      expect(row!.found).toBe(0);
    }
    expect(logged).not.toBe('');
    expect(logged).not.toContain('canary');
  });

  it('are refused with 409 if any key has or had the secret, including deleted and rotated keys', async () => {
    const [deleted, rotated] = [supplied('deleted'), supplied('rotated')];
    const one = await create({ user: 'a', api_key: deleted });
    const two = await create({ user: 'b', api_key: rotated });
    await service.management.delete(`/keys/${one.json.data.hash}`);
    await service.management.post(`/keys/${two.json.data.hash}/rotate`, { json: {} });

    for (const api_key of [deleted, rotated, TEST_API_KEY])
      expect((await create({ user: 'c', api_key })).status).toBe(409);
  });

  it('are created by only one of several simultaneous requests with the same secret', async () => {
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => create({ user: 'a', api_key: supplied('at-once') })),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409, 409, 409, 409]);
  });

  it('get a generated secret if the request has an end user and no secret', async () => {
    const created = await create({ user: 'user-3' });
    expect(created.json.key).toMatch(/^sk-gh-v1-[0-9a-f]{64}$/);
    expect(created.json.data.external_user).toBe('user-3');
  });

  it.each([
    ['31 characters', MIN_SECRET.slice(1)],
    ['9 different characters', 'abcdefghi'.repeat(4)],
    ['513 characters', 'abcdefghij'.repeat(52).slice(0, 513)],
    ['a space', `${MIN_SECRET} b`],
    ['a line break', `${MIN_SECRET}\nb`],
    ['non-ASCII characters', `${MIN_SECRET}é`],
    ['the type number', 7],
  ])('are refused with a secret that has %s', async (_, api_key) => {
    const refused = await create({ user: 'a', api_key });
    expect(refused.status).toBe(400);
    expect(refused.json.error.message).toMatch(/^external: api_key must have 32 to 512 characters of printable ASCII/);
    expect(refused.text).not.toContain('abcdefghi');
  });

  it('may have a secret of 32 characters, 10 of them different, or of 512 characters', async () => {
    for (const api_key of [MIN_SECRET, 'abcdefghij'.repeat(52).slice(0, 512)]) {
      expect((await create({ user: 'a', api_key })).status).toBe(201);
      expect((await service.as(api_key).get('/key')).status).toBe(200);
    }
  });

  it.each([
    ['a management key', { user: 'a' }, { class: 'management' }],
    ['no user', {}, {}],
    ['an empty user', { user: '' }, {}],
    ['another member', { user: 'a', secret: 'x' }, {}],
    ['null', null, {}],
    ['a text', 'user', {}],
    ['a list', [{ user: 'a' }], {}],
  ])('are refused for %s', async (_, external, fields) => {
    expect((await create(external, fields)).status).toBe(400);
  });
});
