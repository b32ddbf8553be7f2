import { OpenRouter } from '@openrouter/sdk';
import { firstOwner } from '../../../support/console/console-browser.js';
import { makeMember } from '../../../support/money/account-builders.js';
import {
  startTestService,
  TEST_API_KEY,
  TEST_MANAGEMENT_KEY,
  type TestService,
} from '../../../support/services/test-service.js';

describe('@openrouter/sdk 1.3.19, unmodified, on members', () => {
  let service: TestService;
  let management: OpenRouter;
  let standard: OpenRouter;
  let userId: string;
  beforeAll(async () => {
    service = await startTestService({ env: { WIRE_DIALECT: 'openrouter' } });
    const serverURL = `${service.origin}/api/v1`;
    management = new OpenRouter({ apiKey: TEST_MANAGEMENT_KEY, serverURL });
    standard = new OpenRouter({ apiKey: TEST_API_KEY, serverURL });
    userId = await makeMember(service, await firstOwner(service), { name: 'Grace Hopper' });
  }, 60_000);
  afterAll(() => service.stop());

  it('lists the members of the organization', async () => {
    const listed = await management.organization.listMembers({ limit: 100 });
    const { result } = listed as unknown as { result: { data: Record<string, unknown>[]; totalCount: number } };
    const page = result ?? (listed as unknown as typeof result);
    expect(page.totalCount).toBe(2);
    expect(page.data.find(({ id }) => id === userId)).toEqual({
      id: userId,
      email: '',
      firstName: 'Grace Hopper',
      lastName: null,
      role: 'org:member',
    });
    await expect(standard.organization.listMembers({})).rejects.toMatchObject({ statusCode: 401 });
  });

  it('adds members to a workspace, lists and removes them', async () => {
    await service.management.post('/workspaces', { json: { name: 'SDK', slug: 'sdk' } });
    const users = { id: 'sdk', bulkAddWorkspaceMembersRequest: { userIds: [userId] } };
    const added = await management.workspaces.bulkAddMembers(users);
    expect(added).toMatchObject({ addedCount: 1, data: [{ userId, role: 'member' }] });
    const listed = await management.workspaces.listMembers({ id: 'sdk' });
    expect(JSON.stringify(listed)).toContain(userId);
    const removed = await management.workspaces.bulkRemoveMembers({
      id: 'sdk',
      bulkRemoveWorkspaceMembersRequest: { userIds: [userId] },
    });
    expect(removed).toEqual({ removedCount: 1 });
    await expect(standard.workspaces.bulkAddMembers(users)).rejects.toMatchObject({ statusCode: 403 });
  });
});
