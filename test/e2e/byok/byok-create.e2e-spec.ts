import { aByokSetting, BYOK_SECRET as SECRET, UNKNOWN_ID, type ByokSetting } from '../../support/api/byok-setting.js';
import type { TestService } from '../../support/services/test-service.js';

const RECORD = [
  'allowed_api_key_hashes',
  'allowed_models',
  'allowed_user_ids',
  'created_at',
  'disabled',
  'id',
  'is_fallback',
  'label',
  'name',
  'provider',
  'sort_order',
  'workspace_id',
];

/** The key of a service account is a PEM text of several lines. */
const KEY_FILE = { project: 'p', location: 'global', clientEmail: 'robot@example.com', privateKey: 'BEGIN\nMIIE\n' };

describe('POST /byok', () => {
  let setting: ByokSetting;
  let service: TestService;
  let create: ByokSetting['create'];
  beforeAll(async () => {
    setting = await aByokSetting();
    ({ service, create } = setting);
  });
  afterAll(() => service.stop());
  afterEach(() => setting.clear());
  it('answers 201 with the record, which has a label instead of the secret', async () => {
    const answer = await service.management.post('/byok', { json: { provider: 'cerebras', key: SECRET } });

    expect(answer.status).toBe(201);
    expect(Object.keys(answer.json.data).toSorted()).toEqual(RECORD);
    expect(answer.json.data).toMatchObject({
      name: '',
      label: 'sk-...AbCd',
      provider: 'cerebras',
      workspace_id: setting.workspaceId,
      disabled: false,
      is_fallback: false,
      sort_order: 0,
      allowed_api_key_hashes: null,
      allowed_models: null,
      allowed_user_ids: null,
    });
    expect(answer.text).not.toContain(SECRET);
  });

  it('stores every setting', async () => {
    const [{ hash }] = (await service.sql.query('select hash from api_key limit 1')) as [{ hash: string }];
    const settings = {
      name: 'Größe 👩‍👧',
      disabled: true,
      is_fallback: true,
      workspace_id: setting.otherWorkspaceId,
      allowed_models: ['author/model', 'ö/😀'],
      allowed_api_key_hashes: [hash],
      allowed_user_ids: ['user, "quoted"'],
    };
    const made = await create(settings);

    expect(made).toMatchObject(settings);
    expect((await service.management.get(`/byok/${made.id}`)).json.data).toEqual(made);
  });

  it('orders the credentials of one provider in one workspace by their creation', async () => {
    const orders = [
      await create(),
      await create(),
      await create({ provider: 'novita-ai' }),
      await create({ workspace_id: setting.otherWorkspaceId }),
      await create(),
    ].map(({ sort_order }) => sort_order);

    expect(orders).toEqual([0, 1, 0, 0, 2]);
  });

  it('gives each credential its own sort_order if many are created at once', async () => {
    const made = await Promise.all(Array.from({ length: 12 }, () => create()));

    expect(made.map(({ sort_order }) => sort_order).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 12 }, (_, index) => index),
    );
  });

  it.each<[string, object, string]>([
    ['no provider', { provider: undefined }, 'provider is required'],
    [
      'a provider that the catalogue does not know',
      { provider: 'nobody' },
      'provider must be a provider slug of the catalogue: GET /providers lists them',
    ],
    [
      'a provider that is the name of a property of every object',
      { provider: 'constructor' },
      'provider must be a provider slug of the catalogue: GET /providers lists them',
    ],
    ['no key', { key: undefined }, 'key is required'],
    ['an empty key', { key: '' }, 'key must be longer than or equal to 1 characters'],
    [
      'a key that is one character too long',
      { key: 'k'.repeat(32_769) },
      'key must be shorter than or equal to 32768 characters',
    ],
    ['a key that is not a string', { key: 5 }, 'key must be a string'],
    ['a key with a lone surrogate', { key: 'abc\ud800' }, 'key must be well-formed Unicode'],
    [
      'a name of 256 code points',
      { name: '❤\uFE0F'.repeat(128) },
      'name must be shorter than or equal to 255 characters',
    ],
    ...[
      { key: 'sk-own\nsecret-WXYZ' },
      { key: `${SECRET}\r\n` },
      { key: 'sk-\u0441\u0435cret-0123456789' },
      { key: '{\n"a": "b"\n}' },
      { provider: 'cohere', key: 'sk-own\u0001secret' },
      { provider: 'openai', key: 'sk-own\u007fsecret' },
    ].map(({ provider = 'cerebras', key }): [string, object, string] => [
      `a key that no HTTP header can carry: ${JSON.stringify(key)} for ${provider}`,
      { provider, key },
      `key: The credential for provider ${provider} must be a text that an HTTP header can carry`,
    ]),
    ['a name of 256 characters', { name: 'n'.repeat(256) }, 'name must be shorter than or equal to 255 characters'],
    ['a name with a NUL', { name: 'a\u0000' }, 'name must not contain control characters'],
    ['a disabled that is not a boolean', { disabled: 'true' }, 'disabled must be a boolean value'],
    ['a disabled that is null', { disabled: null }, 'disabled must be a boolean value'],
    ['an is_fallback that is not a boolean', { is_fallback: 1 }, 'is_fallback must be a boolean value'],
    [
      '101 allowed models',
      { allowed_models: Array.from({ length: 101 }, (_, n) => `a/${n}`) },
      'allowed_models must contain no more than 100 elements',
    ],
    ['allowed models that are not a list', { allowed_models: 'a/b' }, 'allowed_models must be an array'],
    [
      'an allowed model that is not a string',
      { allowed_models: [1] },
      'allowed_models must contain ids: 1 to 200 characters each, no control characters',
    ],
    [
      'an allowed user with a NUL',
      { allowed_user_ids: ['\u0000'] },
      'allowed_user_ids must contain ids: 1 to 200 characters each, no control characters',
    ],
    [
      'an empty list of key hashes',
      { allowed_api_key_hashes: [] },
      'allowed_api_key_hashes must contain at least 1 elements',
    ],
    [
      'a malformed key hash',
      { allowed_api_key_hashes: ['abc'] },
      'allowed_api_key_hashes must contain hashes of keys: 64 lower-case hex characters each',
    ],
    [
      "a hash of nobody's key",
      { allowed_api_key_hashes: ['0'.repeat(64)] },
      'allowed_api_key_hashes must contain hashes of keys of this account',
    ],
    ['a malformed workspace id', { workspace_id: 'default' }, 'workspace_id must be a UUID'],
    [
      'an unknown workspace id',
      { workspace_id: UNKNOWN_ID },
      'workspace_id must be the id of a workspace of this account',
    ],
    ['a sort_order, which is assigned', { sort_order: 1 }, 'property sort_order should not exist'],
    ['an additional property', { label: 'x' }, 'property label should not exist'],
  ])('answers 400 to %s', async (_, fields, message) => {
    const answer = await service.management.post('/byok', { json: { provider: 'cerebras', key: SECRET, ...fields } });

    expect({ status: answer.status, message: answer.json.error?.message }).toEqual({ status: 400, message });
  });

  it.each<[string, object]>([
    ['a key of one character', { key: 'k' }],
    ['a key with white space around it, which is stored unchanged', { key: ` ${SECRET}\t` }],
    ['a key with letters of Latin-1', { key: 'sk-schl\u00fcssel-0123456789' }],
    ['a key of 32768 characters', { key: 'k'.repeat(32_768) }],
    ['a key file of several lines', { provider: 'google-vertex', key: `${JSON.stringify(KEY_FILE, null, 2)}\n` }],
    ['a name of 255 characters beyond the basic plane', { name: '😀'.repeat(255) }],
    ['a name that is null', { name: null }],
    ['lists that are null', { allowed_models: null, allowed_api_key_hashes: null, allowed_user_ids: null }],
    ['a list of 100 models', { allowed_models: Array.from({ length: 100 }, (_x, n) => `a/${n}`) }],
  ])('accepts %s', async (_, fields) => {
    await create(fields);
  });

  it("refuses another account's workspace and key, a request without a key, and a standard key", async () => {
    const [theirs] = (
      await setting.foreign.post('/byok', {
        json: { provider: 'cerebras', key: SECRET, workspace_id: setting.workspaceId },
      })
    ).json.error
      ? ['refused']
      : ['accepted'];
    expect(theirs).toBe('refused');
    const [{ hash }] = (await service.sql.query(`select hash from api_key where account_id <> $1`, [
      setting.accountId,
    ])) as [{ hash: string }];
    expect(
      (
        await service.management.post('/byok', {
          json: { provider: 'cerebras', key: SECRET, allowed_api_key_hashes: [hash] },
        })
      ).status,
    ).toBe(400);
    expect((await service.as().post('/byok', { json: {} })).status).toBe(401);
    expect((await service.standard.post('/byok', { json: { provider: 'cerebras', key: SECRET } })).status).toBe(403);
  });
});
