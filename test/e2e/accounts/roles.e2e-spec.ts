import { randomBytes } from 'node:crypto';
import { ApiKeys } from '../../../src/auth/api-keys.js';
import { ACCESS } from '../../../src/kernel/access/access-matrix.js';
import {
  PERMISSIONS,
  ROLES,
  WORKSPACE_ADMIN_PERMISSIONS,
  type Permission,
  type Role,
} from '../../../src/kernel/access/permissions.js';
import { ACCESS_MATRIX } from '../../support/api/access-matrix.data.js';
import { MatrixThings, type Prepared } from '../../support/api/access-matrix-things.js';
import type { OpenApiDocument } from '../../support/api/openapi-document.js';
import { guardedRoutes, type GuardedRoute } from '../../support/api/route-walk.js';
import { ConsoleBrowser, firstOwner, signedInAs } from '../../support/console/console-browser.js';
import { makeMember } from '../../support/money/account-builders.js';
import { startTestService, type TestService } from '../../support/services/test-service.js';

interface Walker {
  readonly name: string;
  readonly role: Role;
  readonly administersWorkspace: boolean;
  /** A management key with the role. */
  readonly key: string;
  readonly session: ConsoleBrowser;
}

/** Statuses for a key of a refused class. The class is checked before the role. */
const CLASS_REFUSAL = { unauthenticated: 401, forbidden: 403, not_found: 404 } as const;
const STATUSES = new Map(ACCESS_MATRIX.map(([route, statuses]) => [route, statuses]));
const COLUMN = { standard: 5, management: 6 } as const;
/**
 * Routes that fail for the second caller, because the resource was deleted or created before, or because the test sends
 * no form.
 */
const HAPPENS_ONCE = /^DELETE |\/rotate$|^POST \/(files|budgets|providers)$/;
const MAX_WALK_MS = 240_000;
/** Called last, because it ends the session that the other routes need. */
const LAST = 'DELETE /console/session';

const grants = ({ role, administersWorkspace }: Walker, permission: Permission): boolean =>
  PERMISSIONS[permission][role] !== 'none' || (administersWorkspace && WORKSPACE_ADMIN_PERMISSIONS.has(permission));

describe('the table of permissions', () => {
  let service: TestService;
  let things: MatrixThings;
  let routes: GuardedRoute[];
  const walkers: Walker[] = [];
  let cells = 0;

  beforeAll(async () => {
    const off = { RATE_LIMIT_FAILED_KEYS: 'off', RATE_LIMIT_ANALYTICS: 'off', RATE_LIMIT_BENCHMARKS: 'off' };
    const env = { ...off, MASTER_KEY: randomBytes(32).toString('hex'), INTERN_RUNTIME: 'none' };
    service = await startTestService({ env: { ...env, RATE_LIMIT_MANAGEMENT: 'off', RATE_LIMIT_INFERENCE: 'off' } });
    const document = (await (await fetch(`${service.origin}/api/v1/openapi.json`)).json()) as OpenApiDocument;
    routes = guardedRoutes(document).toSorted((a, b) => Number(a.name === LAST) - Number(b.name === LAST));
    things = new MatrixThings(service);
    await things.prepare();
    for (const role of ROLES)
      for (const administersWorkspace of [false, true]) walkers.push(await walker(role, administersWorkspace));
  }, 60_000);
  afterAll(() => service.stop());

  it('has a permission for each route that needs a key', () => {
    expect(routes.filter(({ permission }) => permission === undefined)).toEqual([]);
    const used = new Set(routes.map(({ permission }) => permission));
    expect(Object.keys(PERMISSIONS).filter((permission) => !used.has(permission as Permission))).toEqual(UNUSED);
  });

  it(
    'determines the status for each management key, together with the access class of the route',
    async () => {
      const differences: string[] = [];
      for (const route of routes.filter(({ name }) => !name.includes(' /console/'))) {
        const prepared = await things.requestFor(route.name);
        for (const each of refusedFirst(route)) {
          const client = service.as(each.key);
          const { status } = await client[route.method.toLowerCase() as 'get'](
            prepared.path,
            withFreshBody(route, prepared),
          );
          note(differences, `${route.name} × key of ${each.name}`, expectedOf(route, each, 'management'), status);
        }
      }
      expect(differences).toEqual([]);
    },
    MAX_WALK_MS,
  );

  it(
    'determines the status for each session, together with the access class of the route',
    async () => {
      const differences: string[] = [];
      for (const route of routes) {
        const prepared = await things.requestFor(route.name);
        for (const each of refusedFirst(route)) {
          const status = await ofSession(route, each, prepared);
          const calls = ['images', 'speech', 'text', 'interns', 'own-intern'].includes(route.accessClass);
          const makesNone = calls && PERMISSIONS.inference[each.role] === 'none';
          const expected = makesNone ? 403 : expectedOf(route, each, calls ? 'standard' : 'management');
          note(differences, `${route.name} × session of ${each.name}`, expected, status);
        }
      }
      expect(differences).toEqual([]);
      process.stdout.write(`roles: ${routes.length} routes × ${walkers.length} roles × 2 ways = ${cells} cells\n`);
      expect(cells).toBeGreaterThan(1_500);
    },
    MAX_WALK_MS,
  );

  async function walker(role: Role, administersWorkspace: boolean): Promise<Walker> {
    const { accountId } = await firstOwner(service);
    const userId = await makeMember(service, { accountId }, { name: role, role });
    const [workspace] = await service.sql.query<{ id: string }>(
      'select id from workspace where account_id = $1 and is_default',
      [accountId],
    );
    if (administersWorkspace)
      await service.sql.query(
        `insert into workspace_member (account_id, workspace_id, user_id, role, created_at)
         values ($1, $2, $3, 'admin', now())`,
        [accountId, workspace!.id, userId],
      );
    const place = { accountId, workspaceId: workspace!.id, creatorUserId: userId };
    const { secret } = await service.app
      .get(ApiKeys, { strict: false })
      .issue({ ...place, keyClass: 'management', name: role, role });
    const name = administersWorkspace ? `${role} who administers a workspace` : role;
    const session = await signedInAs(service, { accountId, userId });
    return { name, role, administersWorkspace, key: secret, session };
  }

  /**
   * Callers that are allowed come last, so that no other caller is refused only because the resource no longer exists.
   */
  const refusedFirst = ({ permission }: GuardedRoute): Walker[] =>
    walkers.toSorted((a, b) => Number(grants(a, permission!)) - Number(grants(b, permission!)));

  /** The expected status. `admitted`: any status except 401 and 403. */
  function expectedOf(route: GuardedRoute, each: Walker, keyClass: 'standard' | 'management'): number | 'admitted' {
    const verdict = ACCESS[route.accessClass][keyClass];
    if (verdict !== 'allow') return CLASS_REFUSAL[verdict];
    if (keyClass === 'management' && !grants(each, route.permission!)) return 403;
    const whole = each.role === 'owner' || each.role === 'admin';
    const status = STATUSES.get(route.name)![COLUMN[keyClass]];
    return whole && keyClass === 'management' && !HAPPENS_ONCE.test(route.name) && status < 400 ? status : 'admitted';
  }

  function note(differences: string[], cell: string, expected: number | 'admitted', status: number): void {
    cells += 1;
    const isAsExpected =
      expected === 'admitted' ? status !== 401 && status !== 403 && status < 500 : status === expected;
    if (!isAsExpected) differences.push(`${cell}: ${status} instead of ${expected}`);
  }

  async function ofSession(route: GuardedRoute, { session }: Walker, prepared: Prepared): Promise<number> {
    const { body, ...request } = withFreshBody(route, prepared);
    const path = prepared.path.startsWith('/console/') ? prepared.path : `/console/api/v1${prepared.path}`;
    // The route refuses a request without a form because of its type, but only after the guards, which are tested here.
    return (await session.send(route.method, path, { json: body === undefined ? (request.json as object) : {} }))
      .status;
  }
});

/** Permissions that no route uses yet. */
const UNUSED: string[] = ['keys.manage'];

/** Replaces the name by a unique one, for a resource that can be created only once. */
function withFreshBody({ name }: GuardedRoute, { request = {} }: Prepared): NonNullable<Prepared['request']> {
  const unique = `u${randomBytes(4).toString('hex')}`;
  if (name === 'POST /end-users') return { json: { user: unique } };
  if (name === 'POST /workspaces') return { json: { name: unique, slug: unique } };
  return request;
}
