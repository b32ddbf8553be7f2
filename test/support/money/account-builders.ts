import { Accounts } from '../../../src/tenancy/accounts.js';
import type { TestService } from '../services/test-service.js';

export interface AccountPlace {
  readonly accountId: string;
  /** The default workspace of the account. */
  readonly workspaceId: string;
}

/** Creates an account in the same way as the operator. It has a default workspace and no members. */
export async function makeAccount(service: Pick<TestService, 'app'>, name = 'An account'): Promise<AccountPlace> {
  const { account, workspace } = await service.app.get(Accounts, { strict: false }).create(name);
  return { accountId: account.id, workspaceId: workspace.id };
}

/** Creates a user and adds them to the account. Returns the id of the user. */
export async function makeMember(
  service: Pick<TestService, 'app'>,
  { accountId }: Partial<AccountPlace> & Pick<AccountPlace, 'accountId'>,
  { name = 'A member', role = 'developer', inProgramme = true }: MemberFields = {},
): Promise<string> {
  const accounts = service.app.get(Accounts, { strict: false });
  const user = await accounts.createUser(name, null);
  await accounts.addMember(accountId, user.id, role, inProgramme);
  return user.id;
}

interface MemberFields {
  readonly name?: string;
  readonly role?: Parameters<Accounts['addMember']>[2];
  readonly inProgramme?: boolean;
}
