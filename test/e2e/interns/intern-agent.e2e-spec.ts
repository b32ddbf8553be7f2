import { randomBytes } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Balances } from '../../../src/billing/balances.js';
import { Catalogue } from '../../../src/catalogue/catalogue.js';
import { CatalogueSnapshot } from '../../../src/catalogue/catalogue-snapshot.js';
import { Network } from '../../../src/egress/network.js';
import { usdToNano } from '../../../src/kernel/money.js';
import { aModel } from '../../support/catalogue/catalogue-builder.js';
import { chatOf, answer, user, type Chat, type ChatReading } from '../../support/interns/intern-chat.js';
import { startInternsStage, type InternsStage, type Member } from '../../support/interns/interns-stage.js';
import { watchInterns } from '../../support/interns/provisioned-interns.js';
import { openScriptedModel, type ScriptedCall, type ScriptedModel } from '../../support/vendors/scripted-model.js';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.js';
import { aTextEndpoint } from '../../support/calls/text-stage.js';
import { openTlsWorld, type TlsWorld } from '../../support/engines/tls-world.js';

const VALUE = `sk-${randomBytes(16).toString('hex')}`;
const MODEL = 'rules/scripted';

/** The complete path: chat, agent, egress proxy, gateway, vendor, and a host on the internet. */
describe('an intern that answers', () => {
  let world: TlsWorld;
  let folder: TemporaryFolder;
  let vendor: ScriptedModel;
  let stage: InternsStage;
  let me: Member;
  let chat: Chat;
  let id: string;
  const interns = watchInterns(() => ({ stage, me }));
  beforeAll(async () => {
    [world, folder] = await Promise.all([openTlsWorld(), temporaryFolder()]);
    vendor = await openScriptedModel(world.trusted, join(folder.path, 'vendor.sock'));
    const authorities = join(folder.path, 'authorities.pem');
    await writeFile(authorities, world.authority);
    stage = await startInternsStage({
      env: {
        INTERN_LEASE_MS: '9999',
        EGRESS_PRIVATE_HOSTS: 'api.bound.test,elsewhere.test',
        EGRESS_CA_FILE: authorities,
        OPENAI_API_KEY: 'credential',
        OPENAI_BASE_URL: `http://127.0.0.1:${vendor.port}/v1`,
      },
    });
    Object.assign(stage.app.get(Network, { strict: false }), {
      resolve: async () => [{ address: '127.0.0.1', family: 4 }],
      portFor: (_: string, port: number) => (port === 80 ? world.plain : world.trusted),
    });
    const catalogue = stage.app.get(Catalogue, { strict: false });
    const model = aModel(MODEL, { endpoints: [aTextEndpoint('openai', { textLimits: { contextLength: 100_000 } })] });
    const { benchmarks } = catalogue.snapshot;
    catalogue.swap(
      new CatalogueSnapshot({ models: [...catalogue.all(), model], providers: catalogue.providers(), benchmarks }),
    );
    me = await stage.member();
    const [account] = await stage.sql.query<{ no: number }>('select no from account where id = $1', [me.accountId]);
    const grant = { accountNo: account!.no, amount: usdToNano(1), reason: 'test', idempotencyId: 'of the test' };
    await stage.app.get(Balances, { strict: false }).grant({ ...grant, kind: 'grant' });
    chat = await chatOf(stage, me);
    id = (await me.api.post('/interns', { json: { name: 'porter', instructions: 'Keep the gate.' } })).json.id;
    const secret = { value: VALUE, hosts: ['api.bound.test'] };
    await me.api.put(`/vault/interns/${id}/secrets/api_token`, { json: secret });
    expect((await me.api.patch(`/interns/${id}`, { json: { model: MODEL } })).status).toBe(200);
    await me.api.post(`/interns/${id}/provision`);
    await interns.untilIs(id, 'running');
  }, 120_000);
  afterAll(async () => {
    await stage.stop();
    await Promise.all([world.close(), vendor.close()]);
    await folder.remove();
  }, 60_000);

  const request = (url: string, more: object = {}): ScriptedCall => ({
    name: 'http_request',
    arguments: { url, headers: { authorization: 'Bearer __vault__api_token__' }, ...more },
  });
  const said = async (body: object): Promise<[string, ChatReading]> => {
    const reading = await chat(id, body);
    return [await reading.content(), reading];
  };
  async function diskOf(intern: string): Promise<string> {
    const home = join(interns.folderOf(intern), 'home');
    const entries = await readdir(home, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
    return (await Promise.all(files.map((file) => readFile(file, 'utf8')))).join('\n');
  }

  it('uses a secret that is neither sent to its model nor on its disk nor in its answer', async () => {
    vendor.script({ calls: [request('https://api.bound.test/gate')] }, { text: 'The gate is open.' });
    const [text, reading] = await said(user('Is the gate open?', { session_id: 'gate' }));
    expect(text).toBe('The gate is open.');
    expect(world.arrivals.at(-1)!.text).toContain(`Bearer ${VALUE}`);
    const toModel = JSON.stringify(vendor.calls.map(({ json }) => json as unknown));
    expect(toModel).toContain('HTTP 200');
    for (const place of [toModel, await diskOf(id), reading.text]) {
      expect(place.length).toBeGreaterThan(100);
      expect(place).not.toContain(VALUE);
    }
  }, 60_000);

  it('is billed for the calls of its model, under its own key and the session of the run', async () => {
    vendor.script({ calls: [{ name: 'list_files', arguments: {} }] }, { text: 'ok' });
    const [, reading] = await said(user('List', { session_id: 'billed' }));
    const { usage } = reading.chunks.at(-1);
    const rows = await stage.sql.query<{ cost: string; mine: boolean }>(
      `select sum(g.cost)::text as cost, bool_and(k.intern_id = $1) as mine
       from generation g join generation_detail d on d.id = g.id join api_key k on k.no = g.key_no
       where d.session_id = 'billed'`,
      [id],
    );
    expect(rows).toEqual([{ cost: String(Math.round(usage.cost * 1e9)), mine: true }]);
    expect(usage).toMatchObject({ prompt_tokens: 20, completion_tokens: 20 });
    expect(usage.cost).toBeGreaterThan(0);
  }, 60_000);

  it('reaches a host that has no secret only after its user allows this host', async () => {
    const elsewhere = { name: 'http_request', arguments: { url: 'http://elsewhere.test/x' } };
    const before = world.arrivals.length;
    vendor.script({ calls: [elsewhere] }, { text: 'no' });
    await said(user('Go', { session_id: 'hosts' }));
    expect(vendor.calls.at(-1)!.json.messages.at(-1).content).toMatch(/^Error: The host elsewhere.test is not allowed/);
    vendor.script({ calls: [elsewhere] }, { text: 'yes' });
    const asked = await chat(id, user('Go', { session_id: 'hosts', approval_mode: 'manual' }));
    await asked.whole;
    const [call] = asked.chunks.flatMap(({ choices }) => choices[0]?.delta.tool_calls ?? []);
    expect(JSON.parse(call.function.arguments)).toMatchObject({
      kind: 'permission',
      operation: expect.stringMatching(/^http_request: GET "http:\/\/elsewhere\.test\/x"\n/),
    });
    expect(world.arrivals).toHaveLength(before);
    const [text] = await said(answer('hosts', call.id, 'allow_once'));
    expect(text).toBe('yes');
    expect(world.arrivals.slice(before).map(({ host }) => host)).toEqual(['elsewhere.test']);
  }, 60_000);

  it('ends a turn without a vendor call if its spending limit is too low', async () => {
    await me.api.put(`/interns/${id}/settings`, { json: { limit: 0.000_001, limit_reset: null } });
    const before = vendor.calls.length;
    const reading = await chat(id, user('Spend', { session_id: 'spent' }));
    await reading.whole;
    const { error } = reading.chunks.find((chunk) => chunk.error) ?? JSON.parse(reading.text);
    expect(error.metadata).toMatchObject({ retryable: false });
    expect(vendor.calls).toHaveLength(before);
  }, 60_000);

  it('converses offline if no model is configured', async () => {
    const plain = await interns.running('plain');
    const reading = await chat(plain, user('Hello, I am sad today', { session_id: 'eliza' }));
    expect(await reading.content()).toMatch(/\w+/);
    expect(reading.chunks.at(-1).usage.prompt_tokens).toBeGreaterThan(0);
    const again = await chat(plain, user('It is the weather', { session_id: 'eliza' }));
    expect(await again.content()).toMatch(/\w+/);
  }, 60_000);
});
