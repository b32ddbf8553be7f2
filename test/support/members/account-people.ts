import type { Role } from '../../../src/kernel/access/permissions.js';
import { ConsoleBrowser, firstOwner, signedInAs } from '../console/console-browser.js';
import { makeMember } from '../money/account-builders.js';
import type { TestService } from '../services/test-service.js';

/** A member of the first account with a signed-in browser. */
export interface Person {
  readonly userId: string;
  readonly browser: ConsoleBrowser;
}

/** Creates a member of the first account and signs them in. */
export async function makePerson(service: TestService, role: Role, name: string = role): Promise<Person> {
  const { accountId } = await firstOwner(service);
  const userId = await makeMember(service, { accountId }, { name, role });
  return { userId, browser: await signedInAs(service, { accountId, userId }) };
}

/** The owner of the first account, signed in. */
export async function ownerOf(service: TestService): Promise<Person> {
  const owner = await firstOwner(service);
  return { userId: owner.userId, browser: await signedInAs(service, owner) };
}

/** Sends a request to the console's API with a method for which ConsoleBrowser has no function. */
export const send = async (
  { browser }: Person,
  method: string,
  path: string,
  json?: object,
): Promise<{ status: number; message: string | undefined }> => {
  const answer = await browser.send(method, `/console/api/v1${path}`, { json });
  return { status: answer.status, message: answer.json?.error?.message as string | undefined };
};

/** A role from the member's row. `none`: not a member. `ended`: deactivated. */
export async function roleOf(service: TestService, userId: string): Promise<string> {
  const [row] = await service.sql.query<{ role: string; active: boolean }>(
    'select role, deactivated_at is null as active from member where user_id = $1',
    [userId],
  );
  return row === undefined ? 'none' : row.active ? row.role : 'ended';
}
