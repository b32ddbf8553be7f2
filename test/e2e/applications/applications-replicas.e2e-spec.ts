import { ScriptedIssuer } from '../../support/applications/scripted-issuer.js';
import { exchangeToken, makePolicy } from '../../support/applications/workload.js';
import { firstOwner, signedInAs } from '../../support/console/console-browser.js';
import { overlapping } from '../../support/database/overlapping-inserts.js';
import { eventually } from '../../support/eventually.js';
import { makeMember } from '../../support/money/account-builders.js';
import { startTestService, type TestService } from '../../support/services/test-service.js';

const CALLBACK = 'https://app.example.com/callback';

describe('two replicas', () => {
  let one: TestService;
  let two: TestService;
  let issuer: ScriptedIssuer;
  beforeAll(async () => {
    const env = { FEDERATION_PRIVATE_ISSUERS: '127.0.0.1', PUBLIC_BASE_URL: 'https://gatehouse.example.com' };
    one = await startTestService({ env });
    two = await startTestService({ env, databaseUrl: one.databaseUrl });
    issuer = await ScriptedIssuer.start();
  });
  afterAll(async () => {
    await issuer.stop();
    await two.stop();
    await one.stop();
  });

  const statusesOf = async (token: string): Promise<number[]> =>
    Promise.all([one, two].map(async (service) => (await service.as(token).get('/key')).status));
  const tokenOf = async (id: string): Promise<string> =>
    (await exchangeToken(one, id, await issuer.token())).json.access_token;

  it('create only one signing key if both replicas need a signing key at the same time', async () => {
    const answers = await Promise.all([one, two, one, two].map((service) => service.as().get('/oauth/jwks')));
    expect(answers[0]!.json.keys).toHaveLength(1);
    for (const { json } of answers) expect(json).toEqual(answers[0]!.json);
  });

  it("accept each other's access tokens, and exchange each subject token only once", async () => {
    const { id } = await makePolicy(one, issuer);
    const subject = await issuer.token();
    const answers = await Promise.all([one, two, one, two].map((service) => exchangeToken(service, id, subject)));
    const given = answers.filter(({ status }) => status === 200);
    expect(given).toHaveLength(1);
    expect(await statusesOf(given[0]!.json.access_token)).toEqual([200, 200]);
  });

  it.each([
    ['disabled', (id: string) => one.management.patch(`/federation-policies/${id}`, { json: { disabled: true } })],
    ['deleted', (id: string) => one.management.delete(`/federation-policies/${id}`)],
  ])('refuse the tokens of a policy within 5 s after one replica has %s the policy', async (_, change) => {
    const { id } = await makePolicy(one, issuer);
    const token = await tokenOf(id);
    expect(await statusesOf(token)).toEqual([200, 200]);
    await change(id);
    await eventually(async () => expect(await statusesOf(token)).toEqual([401, 401]), 5_000);
  });

  it('refuse the token and the unused code of a removed member within 5 s', async () => {
    const { accountId } = await firstOwner(one);
    const userId = await makeMember(one, { accountId }, { role: 'developer' });
    const developer = await signedInAs(one, { accountId, userId });
    const own = await developer.post('/keys', { name: 'Own' });
    const { id } = await makePolicy(one, issuer, { api_key_hash: own.json.data.hash });
    const token = await tokenOf(id);
    const code = (await developer.post('/auth/keys/code', { callback_url: CALLBACK })).json.data.id as string;
    expect(await statusesOf(token)).toEqual([200, 200]);

    // The same changes as in the removal of a member.
    await one.sql.transaction(async (session) => {
      await session.query('delete from member where user_id = $1', [userId]);
      await session.query('update api_key set disabled = true where creator_user_id = $1', [userId]);
    });
    for (const service of [one, two])
      expect((await service.as().post('/auth/keys', { json: { code } })).status).toBe(403);
    await eventually(async () => expect(await statusesOf(token)).toEqual([401, 401]), 5_000);
    expect((await exchangeToken(two, id, await issuer.token())).json.error).toBe('invalid_grant');
  });

  it('exchange a code only once, even if both replicas receive the code at the same time', async () => {
    const code = (await one.management.post('/auth/keys/code', { json: { callback_url: CALLBACK } })).json.data
      .id as string;
    const answers = await Promise.all([one, two].map((service) => service.as().post('/auth/keys', { json: { code } })));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 403]);
    const { key } = answers.find(({ status }) => status === 200)!.json;
    await eventually(async () => expect(await statusesOf(key)).toEqual([401, 401]), 5_000);
  });

  /** The statuses of six overlapping requests to both replicas. */
  async function statusesAtOnce(table: string, path: string, json: object): Promise<number[]> {
    const post = (at: number) => (at % 2 ? two : one).management.post(path, { json });
    const answers = await overlapping(
      one.sql,
      table,
      Array.from({ length: 6 }, (_, at) => () => post(at)),
    );
    return answers.map(({ status }) => status).toSorted((a, b) => a - b);
  }

  it('do not exceed the maximum number of policies if requests overlap', async () => {
    const { id, keyHash } = await makePolicy(one, issuer);
    // 98 policies: room for two of the six requests.
    await one.sql.query(
      `insert into federation_policy
       select (jsonb_populate_record(p, jsonb_build_object('id', gen_random_uuid()))).*
       from federation_policy p, generate_series(1, 98 - (select count(*)::int from federation_policy))
       where p.id = $1`,
      [id],
    );
    const policy = { name: 'CI', issuer: issuer.url, subject: 'x', audience: 'y', api_key_hash: keyHash };
    expect(await statusesAtOnce('federation_policy', '/federation-policies', policy)).toEqual([
      201, 201, 409, 409, 409, 409,
    ]);
  });

  it('do not exceed the maximum number of unused codes if requests overlap', async () => {
    const json = { callback_url: CALLBACK };
    await one.management.post('/auth/keys/code', { json });
    // 998 unused codes: room for two of the six requests.
    await one.sql.query(
      `with unused as (select * from authorization_code where used_at is null)
       insert into authorization_code
       select (jsonb_populate_record(c, jsonb_build_object('code_hash', encode(sha256(n::text::bytea), 'hex')))).*
       from authorization_code c, generate_series(1, 998 - (select count(*)::int from unused)) n
       where c.code_hash = (select min(code_hash) from unused)`,
    );
    expect(await statusesAtOnce('authorization_code', '/auth/keys/code', json)).toEqual([200, 200, 409, 409, 409, 409]);
  });
});
