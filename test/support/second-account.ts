import { ApiKeys } from '../../src/auth/api-keys.js';
import { Accounts } from '../../src/tenancy/accounts.js';
import type { TestService } from './test-service.js';

export interface SecondAccount {
  readonly accountId: string;
  readonly workspaceId: string;
  readonly userId: string;
  readonly managementKey: string;
  readonly standardKey: string;
}

/** Another account beside the first, with a member and a key of each class, as the operator would make them. */
export async function makeSecondAccount(service: TestService): Promise<SecondAccount> {
  const accounts = service.app.get(Accounts, { strict: false });
  const keys = service.app.get(ApiKeys, { strict: false });
  const { account, workspace } = await accounts.create('Second');
  const user = await accounts.createUser('Second owner', null);
  await accounts.addMember(account.id, user.id, 'owner', true);
  const place = { accountId: account.id, workspaceId: workspace.id, creatorUserId: user.id };
  const management = await keys.issue({ ...place, keyClass: 'management', name: 'management' });
  const standard = await keys.issue({ ...place, keyClass: 'standard', name: 'standard' });
  return {
    accountId: account.id,
    workspaceId: workspace.id,
    userId: user.id,
    managementKey: management.secret,
    standardKey: standard.secret,
  };
}
