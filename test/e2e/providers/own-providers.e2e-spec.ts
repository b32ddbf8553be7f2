import { keyOf } from '../../support/api/channel-stage.js';
import { holdStream } from '../../support/calls/held-stream.js';
import {
  OWN_COST,
  OWN_KEY,
  OWN_MODEL,
  OWN_PRICES,
  startOwnProviderStage,
  type OwnProviderStage,
} from '../../support/catalogue/own-provider-stage.js';
import { eventually } from '../../support/eventually.js';
import { makeSecondAccount } from '../../support/money/second-account.js';
import { TEST_API_KEY, type TestService } from '../../support/services/test-service.js';
import type { ScriptedChatVendor } from '../../support/vendors/scripted-chat-vendor.js';
import { startScriptedTextVendor } from '../../support/vendors/scripted-text-vendor.js';
import { TEXT_VENDORS } from '../../support/vendors/text-vendor-formats.js';

const PROVIDER = { slug: 'refused', format: 'chat', base_url: 'https://models.example.com/v1' };
/** The value of an environment variable whose name happens to match an own provider. */
const CHANCE_KEY = 'sk-key-for-somebody-else-0123456789';

describe('own providers', () => {
  let stage: OwnProviderStage;
  let service: TestService;
  let replica: TestService;
  let vendor: ScriptedChatVendor;
  let text: Awaited<ReturnType<typeof startScriptedTextVendor>>;
  beforeAll(async () => {
    text = await startScriptedTextVendor();
    stage = await startOwnProviderStage({ BY_CHANCE_API_KEY: CHANCE_KEY });
    ({ service, replica, vendor } = stage);
  });
  afterAll(async () => {
    await stage.stop();
    await text.close();
  });
  beforeEach(() => {
    vendor.seen.length = 0;
  });

  it('serve their models on every replica, with the stored credential and at the given price', async () => {
    await stage.add('maker');
    await stage.offer('maker');
    for (const at of [service, replica]) {
      const { status, json } = await stage.chat('maker/one', at);
      expect([status, json.model, json.usage.cost]).toEqual([200, 'maker/one', OWN_COST]);
    }
    const sent = [OWN_KEY, '/v1/chat/completions', 'assistant-7b'];
    expect(vendor.seen.map((call) => [keyOf(call), call.path, call.json.model])).toEqual([sent, sent]);
    const { json } = await replica.standard.get('/model/maker/one');
    expect(json.data).toMatchObject({
      id: 'maker/one',
      name: 'maker: one',
      context_length: 8_000,
      pricing: OWN_PRICES,
    });
  });

  it('are listed for callers in the published shape, and for the operator with their settings', async () => {
    await stage.add('listed', { name: 'Listed', privacy: { policy_url: 'https://maker.example/privacy' } }, null);
    const { json } = await service.standard.get('/providers');
    expect(json.data.find(({ slug }: { slug: string }) => slug === 'listed')).toEqual({
      name: 'Listed',
      slug: 'listed',
      privacy_policy_url: 'https://maker.example/privacy',
      terms_of_service_url: null,
      status_page_url: null,
      headquarters: null,
      datacenters: null,
    });
    const own = (await service.management.get('/providers/own?limit=100')).json;
    expect(own.data.find(({ slug }: { slug: string }) => slug === 'listed')).toEqual({
      slug: 'listed',
      name: 'Listed',
      format: 'chat',
      base_url: vendor.baseUrl,
      needs_credential: true,
      privacy: { policy_url: 'https://maker.example/privacy', zero_data_retention: null },
      created_at: expect.any(String),
    });
    expect(own.total_count).toBe(own.data.length);
  });

  it('bill an open call at the price that it started with, and the next call at the new price', async () => {
    await stage.add('priced');
    await stage.offer('priced');
    const held = await holdStream(service.origin, TEST_API_KEY, vendor, { model: 'priced/one' });
    expect(held.status).toBe(200);
    const dearer = { prompt: '0.00001', completion: '0.00002' };
    expect((await stage.put('priced/models/one', { pricing: dearer })).json.data).toMatchObject({ version: 2 });
    expect((await stage.chat('priced/one')).json.usage.cost).toBe(OWN_COST * 10);
    await eventually(async () => expect((await stage.chat('priced/one', replica)).json.usage.cost).toBe(OWN_COST * 10));
    expect(await held.finish()).toContain(`"cost":${OWN_COST}`);
    expect((await stage.put('priced/models/one', { pricing: dearer })).json.data).toMatchObject({ version: 2 });
    const { data, total_count } = (await service.management.get('/providers/priced/models/one/versions')).json;
    expect(data.map((one: typeof data) => [one.version, one.pricing])).toEqual([
      [2, dearer],
      [1, OWN_PRICES],
    ]);
    expect(total_count).toBe(2);
  });

  it('do not serve a model without a price, which discovery lists as missing', async () => {
    await stage.add('partly');
    await stage.put('partly/models/one', { pricing: null });
    await stage.put('partly/models/free', { upstream: 'free-1b', pricing: { prompt: '0', completion: '0' } });
    expect((await stage.chat('partly/one')).status).toBe(404);
    expect((await stage.chat('partly/free')).status).toBe(200);
    vendor.seen.length = 0;
    vendor.script({ body: { data: [{ id: 'assistant-7b' }, { id: 'free-1b' }, { id: 'other' }] } });
    const { data } = (await service.management.get('/providers/credentials?provider=partly')).json;
    const { json } = await service.management.post(`/providers/credentials/${data[0].id}/discover`);
    expect(json.missing).toEqual(['assistant-7b', 'other']);
    expect(json.models).toContainEqual({ upstream: 'free-1b', id: 'partly/free', known: true, priced: true });
    expect([vendor.seen[0]!.path, keyOf(vendor.seen[0]!)]).toEqual(['/v1/models', OWN_KEY]);
    const listed = (await service.management.get('/providers/partly/models')).json;
    expect(listed.data.map(({ id }: { id: string }) => id)).toEqual(['partly/free', 'partly/one']);
  });

  it('are called without a key only if needs_credential is false', async () => {
    await stage.add('keyless', {}, null);
    await stage.put('keyless/models/one');
    const refused = await stage.chat('keyless/one');
    expect([refused.status, refused.json.error.message]).toEqual([404, expect.stringContaining('no credential')]);
    await stage.add('local', { needs_credential: false }, null);
    await stage.offer('local');
    expect((await stage.chat('local/one')).status).toBe(200);
    vendor.script({ body: { data: [{ id: 'assistant-7b' }, { id: 'other' }] } });
    const { json } = await service.management.post('/providers/local/discover');
    expect([json.models[0], json.missing]).toEqual([
      { upstream: 'assistant-7b', id: 'local/one', priced: true },
      ['other'],
    ]);
    expect(vendor.seen.map(({ headers }) => headers.authorization)).toEqual([undefined, undefined]);
    expect((await service.management.post('/providers/keyless/discover')).status).toBe(400);
    expect((await service.management.post('/providers/openai/discover')).status).toBe(404);
  });

  it("use neither keys of the environment nor callers' keys", async () => {
    await stage.add('by-chance', {}, null);
    await stage.put('by-chance/models/one');
    expect((await stage.chat('by-chance/one')).status).toBe(404);
    const { json } = await service.management.get('/providers/credentials?provider=by-chance');
    expect(json.total_count).toBe(0);
    const byok = await service.management.post('/byok', { json: { provider: 'by-chance', key: OWN_KEY } });
    expect(byok.status).toBe(400);
    expect(vendor.seen).toHaveLength(0);
  });

  it.each(['chat', 'messages'])(
    'refuse a key that no HTTP header can contain, with and without a model (format %s)',
    async (format) => {
      const provider = `strict-${format}`;
      await stage.add(provider, { format }, null);
      for (const _ of ['without a model', 'with a model']) {
        const json = { provider, key: `${OWN_KEY}\n` };
        const refused = await service.management.post('/providers/credentials', { json });
        expect([refused.status, refused.json.error?.message]).toEqual([
          400,
          expect.stringContaining('header can carry'),
        ]);
        await stage.put(`${provider}/models/one`);
      }
    },
  );

  it.each([
    ['messages', TEXT_VENDORS.anthropic, 'x-api-key', '/v1/messages'],
    ['gemini', TEXT_VENDORS.google, 'x-goog-api-key', '/v1/models/assistant-7b:generateContent'],
  ] as const)('may speak the format %s', async (format, dialect, header, path) => {
    await stage.add(`by-${format}`, { format, base_url: text.baseUrl });
    await stage.put(`by-${format}/models/one`);
    text.turn(dialect, { text: ['Hello'], finish: dialect.stop, usage: dialect.usage }, false);
    const { status, json } = await stage.chat(`by-${format}/one`);
    expect([status, json.model]).toEqual([200, `by-${format}/one`]);
    const seen = text.seen.at(-1)!;
    expect([seen.url, seen.headers[header]]).toEqual([path, OWN_KEY]);
  });

  it('are deleted with their models on every replica, but only after their credentials', async () => {
    await stage.add('leaving');
    await stage.offer('leaving');
    expect((await service.management.delete('/providers/leaving')).status).toBe(409);
    expect((await service.management.delete('/providers/leaving/models/one')).json).toEqual({ deleted: true });
    expect((await service.management.delete('/providers/leaving/models/one')).status).toBe(404);
    for (const at of [service, replica])
      await eventually(async () => expect((await stage.chat('leaving/one', at)).status).toBe(404));
    await stage.offer('leaving');
    const { data } = (await service.management.get('/providers/credentials?provider=leaving')).json;
    await service.management.delete(`/providers/credentials/${data[0].id}`);
    expect((await service.management.delete('/providers/leaving')).json).toEqual({ deleted: true });
    expect((await service.management.delete('/providers/leaving')).status).toBe(404);
    for (const at of [service, replica])
      await eventually(async () => expect((await stage.chat('leaving/one', at)).status).toBe(404));
    const audit = await service.sql.query<{ kind: string; action: string }>(
      `select resource_kind as kind, action from audit_entry
        where resource_id in ('leaving', 'leaving/one') order by id`,
    );
    expect(audit.map(({ kind, action }) => `${kind} ${action}`)).toEqual([
      'own_provider create',
      'own_model update',
      'own_model delete',
      'own_model update',
      'own_provider delete',
    ]);
  });

  it('exist for keys of the operator only', async () => {
    await stage.add('hidden', {}, null);
    const other = service.as((await makeSecondAccount(service)).managementKey);
    for (const client of [other, service.standard]) {
      expect((await client.get('/providers/own')).status).toBe(404);
      expect((await client.post('/providers', { json: PROVIDER })).status).toBe(404);
      expect((await client.put('/providers/hidden/models/one', { json: OWN_MODEL })).status).toBe(404);
      expect((await client.patch('/providers/hidden', { json: { name: 'Seen' } })).status).toBe(404);
      expect((await client.delete('/providers/hidden')).status).toBe(404);
    }
  });
});
