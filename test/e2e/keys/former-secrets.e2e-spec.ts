import { makeKey } from '../../support/api/api-builders.js';
import { firstOwner, signedInAs } from '../../support/console/console-browser.js';
import { eventually } from '../../support/eventually.js';
import { makeMember } from '../../support/money/account-builders.js';
import { makeSecondAccount } from '../../support/money/second-account.js';
import { SetClock, startTestService, type TestService } from '../../support/services/test-service.js';

const START = Date.parse('2026-05-06T07:08:09Z');
const NOWHERE = '0'.repeat(64);

describe('/keys/{hash}/former-secrets', () => {
  const clock = new SetClock(new Date(START));
  let service: TestService;
  let other: TestService;
  beforeAll(async () => {
    service = await startTestService({ clock });
    other = await startTestService({ clock, databaseUrl: service.databaseUrl });
  });
  afterAll(async () => {
    await other.stop();
    await service.stop();
  });
  beforeEach(() => clock.set(new Date(START)));
  const create = (fields: object = {}) => makeKey(service.management, fields);
  const rotate = async (hash: string, graceSeconds: number) =>
    (await service.management.post(`/keys/${hash}/rotate`, { json: { grace_seconds: graceSeconds } })).json;
  const formerOf = async (hash: string) => (await service.management.get(`/keys/${hash}/former-secrets`)).json.data;
  const statusOf = async (key: string, replica = service): Promise<number> =>
    (await replica.as(key).get('/key')).status;

  it('lists the former secrets that are still valid, newest first, with their label and end', async () => {
    const made = await create();
    expect(await formerOf(made.hash)).toEqual([]);
    const second = await rotate(made.hash, 3_600);
    clock.set(new Date(START + 1_000));
    const third = await rotate(second.data.hash, 600);
    const ends_at = new Date(START + 601_000).toISOString();

    const expected = [
      { hash: second.data.hash, label: second.data.label, replaced_at: new Date(START + 1_000).toISOString(), ends_at },
      { hash: made.hash, label: made.data.label, replaced_at: new Date(START).toISOString(), ends_at },
    ];
    expect(await formerOf(third.data.hash)).toEqual(expected);
    expect(await formerOf(made.hash)).toEqual(expected);
    clock.set(new Date(START + 601_000));
    expect(await formerOf(third.data.hash)).toEqual([]);
  });

  it('ends former secrets at once, on every replica; the current secret stays valid', async () => {
    const made = await create();
    const { key, data } = await rotate(made.hash, 3_600);
    expect([await statusOf(made.key), await statusOf(made.key, other)]).toEqual([200, 200]);

    const ended = await service.management.delete(`/keys/${data.hash}/former-secrets`);
    expect([ended.status, ended.json]).toEqual([200, { ended: 1 }]);
    expect([await statusOf(made.key), await statusOf(key)]).toEqual([401, 200]);
    await eventually(async () => expect(await statusOf(made.key, other)).toBe(401));
    expect(await statusOf(key, other)).toBe(200);
    expect(await formerOf(data.hash)).toEqual([]);
    expect((await service.management.get(`/keys/${made.hash}`)).status).toBe(404);
    expect((await service.management.delete(`/keys/${data.hash}/former-secrets`)).json).toEqual({ ended: 0 });
  });

  it('ends former secrets of a disabled key too', async () => {
    const made = await create();
    const { data } = await rotate(made.hash, 3_600);
    await service.management.patch(`/keys/${data.hash}`, { json: { disabled: true } });
    expect((await service.management.delete(`/keys/${data.hash}/former-secrets`)).json).toEqual({ ended: 1 });
  });

  it('writes an audit row only if a former secret was ended', async () => {
    const { hash } = await create();
    const { data } = await rotate(hash, 60);
    for (let times = 0; times < 2; times++) await service.management.delete(`/keys/${data.hash}/former-secrets`);
    const entries = (await service.management.get(`/audit?kind=former_secret&id=${data.hash}`)).json.data;
    expect(entries).toEqual([expect.objectContaining({ action: 'delete', kind: 'former_secret', id: data.hash })]);
  });

  it('returns 404 for an unknown key and for a key of another account', async () => {
    const { hash } = await create();
    const { managementKey } = await makeSecondAccount(service);
    for (const [client, of] of [
      [service.management, NOWHERE],
      [service.management, 'x'],
      [service.as(managementKey), hash],
    ] as const) {
      expect((await client.get(`/keys/${of}/former-secrets`)).status).toBe(404);
      expect((await client.delete(`/keys/${of}/former-secrets`)).status).toBe(404);
    }
  });

  it('refuses admins if the key is a management key of the role owner, and audits the refusal', async () => {
    const { accountId } = await firstOwner(service);
    const owners = await create({ class: 'management', role: 'owner' });
    const { data } = await rotate(owners.hash, 3_600);
    const userId = await makeMember(service, { accountId }, { name: 'Adi', role: 'admin' });
    const admin = await signedInAs(service, { accountId, userId });
    const refused = await admin.send('DELETE', `/console/api/v1/keys/${data.hash}/former-secrets`, {});
    expect(refused.status).toBe(403);
    expect(await formerOf(data.hash)).toHaveLength(1);
    const entries = (await service.management.get(`/audit?kind=api_key&id=${data.hash}&action=refuse`)).json.data;
    expect(entries).toEqual([expect.objectContaining({ action: 'refuse', kind: 'api_key', id: data.hash })]);
  });
});
