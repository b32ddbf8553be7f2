import { ApiKeys } from '../../../src/auth/api-keys.js';
import { KeyDirectory } from '../../../src/auth/key-directory.js';
import { hashOfKey } from '../../../src/auth/key-secret.js';
import { SecretValue } from '../../../src/kernel/secret-value.js';
import { CredentialDirectory } from '../../../src/secrets/credential-directory.js';
import { ProviderCredentials } from '../../../src/secrets/provider-credentials.js';
import { Workspaces } from '../../../src/tenancy/workspaces.js';
import type { ApiAnswer, ApiClient } from './api-client.js';
import { makeAccount } from '../money/account-builders.js';
import { startTestService, TEST_API_KEY, TEST_MANAGEMENT_KEY, type TestService } from '../services/test-service.js';

export const BYOK_SECRET = 'sk-own-credential-0123456789-AbCd';
/** A valid id that does not exist. */
export const UNKNOWN_ID = '0192aaaa-bbbb-7ccc-8ddd-eeeeeeeeeeee';

/** A service with two workspaces in its account, a standard key in each, and another account. */
export interface ByokSetting {
  readonly service: TestService;
  readonly accountId: string;
  /** The default workspace. */
  readonly workspaceId: string;
  readonly otherWorkspaceId: string;
  /** A standard key of the other workspace. */
  readonly keyOfOther: ApiClient;
  /** A management key of another account. */
  readonly foreign: ApiClient;
  /** Creates a credential and returns its record. */
  create(fields?: object): Promise<ApiAnswer['json']>;
  /** Deletes every credential with its data keys. */
  clear(): Promise<void>;
}

export async function aByokSetting(env: Readonly<Record<string, string>> = {}): Promise<ByokSetting> {
  const service = await startTestService({ env });
  const keys = service.app.get(ApiKeys, { strict: false });
  const [bootstrap] = await service.sql.query<{ account_id: string; workspace_id: string }>(
    `select account_id, workspace_id from api_key where key_class = 'management'`,
  );
  const { account_id: accountId, workspace_id: workspaceId } = bootstrap!;
  const other = await service.app
    .get(Workspaces, { strict: false })
    .create({ accountId, name: 'Other', slug: 'other', description: null, createdBy: null });
  const inOther = await keys.issue({
    accountId,
    workspaceId: other.id,
    keyClass: 'standard',
    name: 'In the other workspace',
    creatorUserId: null,
  });
  const somebodyElse = await makeAccount(service, 'Somebody else');
  const theirs = await keys.issue({
    ...somebodyElse,
    keyClass: 'management',
    name: 'Foreign',
    creatorUserId: null,
  });
  return {
    service,
    accountId,
    workspaceId,
    otherWorkspaceId: other.id,
    keyOfOther: service.as(inOther.secret),
    foreign: service.as(theirs.secret),
    create: async (fields = {}) => {
      const answer = await service.management.post('/byok', {
        json: { provider: 'cerebras', key: BYOK_SECRET, ...fields },
      });
      if (answer.status !== 201) throw new Error(`POST /byok returned ${answer.status}: ${answer.text}`);
      return answer.json.data;
    },
    clear: async () => {
      for (const table of ['byok_credential', 'workspace_data_key', 'account_data_key', 'data_key'])
        await service.sql.query(`delete from ${table}`);
    },
  };
}

/** Stores a credential without the checks of the API, as an earlier version did. Returns its id. */
export async function storeUnchecked({ app, sql }: TestService, provider: string, key: string): Promise<string> {
  const [place] = await sql.query<{ accountId: string; workspaceId: string }>(
    'select account_id as "accountId", workspace_id as "workspaceId" from api_key where hash = $1',
    [hashOfKey(TEST_MANAGEMENT_KEY)],
  );
  const restrictions = { allowedModels: null, allowedApiKeyHashes: null, allowedUserIds: null };
  const settings = { ...place!, ...restrictions, provider, name: null, disabled: false, isFallback: false };
  const credentials = app.get(ProviderCredentials, { strict: false });
  return (await credentials.create({ ...settings, secret: new SecretValue(key) }, async () => undefined)).id;
}

/**
 * Waits until a service counts this number of credentials for a key, a provider and a model. The database
 * notifies the service of changes.
 */
export async function untilCredentials(
  { app }: TestService,
  count: number,
  model: string,
  key = TEST_API_KEY,
  provider = 'openai',
): Promise<void> {
  const { principal } = (await app.get(KeyDirectory, { strict: false }).find(hashOfKey(key)))!;
  const directory = app.get(CredentialDirectory, { strict: false });
  while ((await directory.forCall(principal, provider, model)).length !== count) await new Promise(setImmediate);
}
