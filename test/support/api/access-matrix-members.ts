import type { MatrixThings, Prepared } from './access-matrix-things.js';

type Prepare = (things: MatrixThings) => Promise<Prepared>;

/** A request that names a new workspace and a member of it. */
const inWorkspace =
  (path: (workspace: string, userId: string) => string, body: (userId: string) => object): Prepare =>
  async (things) => {
    const [workspace, userId] = [await things.workspace(), await things.member()];
    await things.management('post', `/workspaces/${workspace}/members/add`, { json: { user_ids: [userId] } });
    return { path: path(workspace, userId), request: { json: body(userId) } };
  };

/** Requests for members, their workspaces and invitations. */
export const MEMBER_REQUESTS: Readonly<Record<string, Prepare>> = {
  'PATCH /members/{}': async (things) => ({
    path: `/members/${await things.member()}`,
    request: { json: { role: 'viewer' } },
  }),
  'DELETE /members/{}': async (things) => ({ path: `/members/${await things.member()}` }),
  'POST /members/{}/deactivate': async (things) => ({ path: `/members/${await things.member()}/deactivate` }),
  'POST /invitations': async () => ({ path: '/invitations', request: { json: { role: 'viewer' } } }),
  'DELETE /invitations/{}': async (things) => {
    const { json } = await things.management('post', '/invitations', { json: { role: 'viewer' } });
    return { path: `/invitations/${json.data.id}` };
  },
  'GET /workspaces/{}/members': async (things) => ({ path: `/workspaces/${await things.workspace()}/members` }),
  'POST /workspaces/{}/members/add': inWorkspace(
    (workspace) => `/workspaces/${workspace}/members/add`,
    (userId) => ({ user_ids: [userId] }),
  ),
  'POST /workspaces/{}/members/remove': inWorkspace(
    (workspace) => `/workspaces/${workspace}/members/remove`,
    (userId) => ({ user_ids: [userId] }),
  ),
  'PATCH /workspaces/{}/members/{}': inWorkspace(
    (workspace, userId) => `/workspaces/${workspace}/members/${userId}`,
    () => ({ role: 'admin' }),
  ),
};
