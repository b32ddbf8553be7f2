import { keyOf } from '../../support/api/channel-stage.js';
import { holdStream } from '../../support/calls/held-stream.js';
import {
  OWN_COST,
  OWN_KEY,
  startOwnProviderStage,
  type OwnProviderStage,
} from '../../support/catalogue/own-provider-stage.js';
import { eventually } from '../../support/eventually.js';
import { TEST_API_KEY, type TestService } from '../../support/services/test-service.js';
import { startScriptedChatVendor, type ScriptedChatVendor } from '../../support/vendors/scripted-chat-vendor.js';

describe('changed own providers', () => {
  let stage: OwnProviderStage;
  let service: TestService;
  let replica: TestService;
  let vendor: ScriptedChatVendor;
  /** The vendor at the new address. */
  let next: ScriptedChatVendor;
  beforeAll(async () => {
    next = await startScriptedChatVendor();
    stage = await startOwnProviderStage();
    ({ service, replica, vendor } = stage);
  });
  afterAll(async () => {
    await stage.stop();
    await next.close();
  });
  beforeEach(() => {
    next.seen.length = 0;
  });

  it('may have a new name and address, while open calls keep the former address', async () => {
    await stage.add('moving', { needs_credential: false, privacy: { zero_data_retention: true } }, null);
    await stage.offer('moving');
    const held = await holdStream(service.origin, TEST_API_KEY, vendor, { model: 'moving/one' });
    const { json } = await service.management.patch('/providers/moving', {
      json: { name: 'Moved', base_url: `${next.baseUrl}/`, privacy: {} },
    });
    expect(json.data).toMatchObject({
      slug: 'moving',
      name: 'Moved',
      base_url: next.baseUrl,
      privacy: { policy_url: null, zero_data_retention: null },
    });
    for (const at of [service, replica])
      await eventually(async () => {
        next.seen.length = 0;
        expect([(await stage.chat('moving/one', at)).status, next.seen.length]).toEqual([200, 1]);
      });
    expect(await held.finish()).toContain(`"cost":${OWN_COST}`);
    const listed = (await replica.standard.get('/providers')).json.data;
    expect(listed.find(({ slug }: { slug: string }) => slug === 'moving').name).toBe('Moved');
    const unchanged = await service.management.patch('/providers/moving', { json: {} });
    expect(unchanged.json.data).toMatchObject({ name: 'Moved', base_url: next.baseUrl });
    expect((await service.management.patch('/providers/nobody', { json: {} })).status).toBe(404);
    const audit = await service.sql.query<{ action: string }>(
      "select action from audit_entry where resource_id = 'moving' and resource_kind = 'own_provider' order by id",
    );
    expect(audit.map(({ action }) => action)).toEqual(['create', 'update', 'update']);
  });

  it('do not send a stored key to another address', async () => {
    await stage.add('bound');
    await stage.offer('bound');
    const move = () => service.management.patch('/providers/bound', { json: { base_url: next.baseUrl } });
    const { data } = (await service.management.get('/providers/credentials?provider=bound')).json;
    const change = (json: object) => service.management.patch(`/providers/credentials/${data[0].id}`, { json });
    for (const disabled of [false, true]) {
      expect((await change({ disabled })).status).toBe(200);
      const refused = await move();
      expect([refused.status, refused.json.error.message]).toEqual([409, expect.stringContaining('base_url and key')]);
    }
    expect((await service.management.patch('/providers/bound', { json: { name: 'Bound' } })).status).toBe(200);
    expect((await service.management.patch('/providers/bound', { json: { base_url: vendor.baseUrl } })).status).toBe(
      200,
    );
    expect((await change({ base_url: next.baseUrl, key: `${OWN_KEY}-2`, disabled: false })).status).toBe(200);
    expect((await move()).status).toBe(200);
    await eventually(async () => expect((await stage.chat('bound/one', replica)).status).toBe(200));
    expect(next.seen.map(keyOf)).toEqual(next.seen.map(() => `${OWN_KEY}-2`));
  });

  it('are not called at their new address with a deleted key that is still in memory', async () => {
    await stage.add('forgetful');
    await stage.offer('forgetful');
    const { data } = (await service.management.get('/providers/credentials?provider=forgetful')).json;
    // Suppress the notification, so that the replica would use the key for 4 s more.
    await service.sql.query('alter table platform_credential disable trigger all');
    await service.management.delete(`/providers/credentials/${data[0].id}`);
    await service.sql.query('alter table platform_credential enable trigger all');
    await service.management.patch('/providers/forgetful', { json: { base_url: next.baseUrl } });
    await eventually(async () => expect((await stage.chat('forgetful/one', replica)).status).toBe(404));
    expect(next.seen).toHaveLength(0);
  });
});
