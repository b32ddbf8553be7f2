import { ApiKeys } from '../../../src/auth/api-keys.js';
import { makeAccount, makeMember } from './account-builders.js';
import type { TestService } from '../services/test-service.js';

export interface SecondAccount {
  readonly accountId: string;
  readonly workspaceId: string;
  readonly userId: string;
  readonly managementKey: string;
  readonly standardKey: string;
}

/** Creates another account in the same way as the operator, with a member and a key of each class. */
export async function makeSecondAccount(service: TestService): Promise<SecondAccount> {
  const keys = service.app.get(ApiKeys, { strict: false });
  const account = await makeAccount(service, 'Second');
  const userId = await makeMember(service, account, { name: 'Second owner', role: 'owner' });
  const place = { ...account, creatorUserId: userId };
  const management = await keys.issue({ ...place, keyClass: 'management', name: 'management' });
  const standard = await keys.issue({ ...place, keyClass: 'standard', name: 'standard' });
  return {
    ...account,
    userId,
    managementKey: management.secret,
    standardKey: standard.secret,
  };
}
