import { EntityManager } from '@mikro-orm/postgresql';
import type { INestApplicationContext } from '@nestjs/common';
import { ApiKeys } from '../../auth/api-keys.js';
import type { Payer } from '../../billing/bill.js';
import { Balances } from '../../billing/balances.js';
import type { Budget } from '../../billing/budget.js';
import { Budgets } from '../../billing/budgets.js';
import type { Account } from '../../database/entities/account.entity.js';
import { hashOfKey, labelOfKey, newKeySecret } from '../../auth/key-secret.js';
import { ApiKey } from '../../database/entities/api-key.entity.js';
import type { EndUser } from '../../database/entities/end-user.entity.js';
import type { User } from '../../database/entities/user.entity.js';
import type { Workspace } from '../../database/entities/workspace.entity.js';
import { sessionOf } from '../../database/session-of.js';
import { Sql } from '../../database/sql.js';
import type { Nano } from '../../kernel/money.js';
import { Memberships } from '../../members/memberships.js';
import { Accounts } from '../../tenancy/accounts.js';
import { EndUsers } from '../../tenancy/end-users.js';
import { Workspaces } from '../../tenancy/workspaces.js';
import { recorded } from '../operator-audit.js';
import type { DemoClock } from './demo-clock.js';
import { HOUR_MS } from './demo-days.js';
import { endUserId, type DemoBudget, type DemoCompany, type DemoKey } from './demo-data.js';
import type { DemoCall } from './demo-schedule.js';
import { largestSpend, roundAmount } from './demo-sums.js';

/** The maximum simulated time before the first call. All entities are created in this time. */
export const PREPARATION_MS = 3 * HOUR_MS;
/** The maximum simulated time between two creations. The time is shorter if many entities are created. */
const MAX_STEP_MS = 97_000;
/** An end user is inactive if its number is a multiple of this. */
const INACTIVE = 17;

/** The payer of a key's calls, by the name of the key. */
export type DemoPayers = ReadonlyMap<string, Payer & { readonly workspaceNo: number }>;

/**
 * Creates the entities to which the demo calls refer, one after the other. Uses the services of the API, except for
 * added keys, which are written in one transaction.
 */
export class DemoAccount {
  readonly #workspaces = new Map<string, Workspace>();
  readonly #users = new Map<string, User>();
  readonly #keys = new Map<string, ApiKey>();
  readonly #payers = new Map<string, Payer & { readonly workspaceNo: number }>();

  constructor(
    private readonly rooms: INestApplicationContext,
    private readonly clock: DemoClock,
    private readonly account: Account,
    private readonly company: DemoCompany,
  ) {}

  /** Creates all entities. Limits and budgets are chosen so that `calls` spend the configured share of each. */
  async create(calls: readonly DemoCall[]): Promise<DemoPayers> {
    await this.#createWorkspaces();
    await this.#createPeople();
    for (const key of this.company.keys) if (key.like === undefined) await this.#createKey(key, calls);
    await this.#addKeys(this.company.keys.filter(({ like }) => like !== undefined));
    for (const budget of this.company.budgets) await this.#createBudget(budget, calls);
    await this.#registerEndUsers();
    return this.#payers;
  }

  async grant(amount: Nano, reason: string): Promise<void> {
    const grant = { accountNo: this.account.no, amount, kind: 'grant', reason } as const;
    const idempotencyId = `demo ${this.clock.now().toISOString()}`;
    const audited = recorded(this.rooms, 'grant', 'credits', () => ({ id: idempotencyId, accountId: this.account.id }));
    await this.rooms.get(Balances).grant({ ...grant, idempotencyId }, audited);
  }

  async #createWorkspaces(): Promise<void> {
    const workspaces = this.rooms.get(Workspaces);
    this.#workspaces.set('default', await workspaces.defaultOf(this.account.id));
    for (const workspace of this.company.workspaces) {
      this.#step();
      const created = await workspaces.create(
        { ...workspace, accountId: this.account.id, createdBy: null },
        this.#audited<Workspace>('workspace', ({ id }) => id),
      );
      this.#workspaces.set(workspace.slug, created);
    }
  }

  async #createPeople(): Promise<void> {
    const accounts = this.rooms.get(Accounts);
    const memberships = this.rooms.get(Memberships);
    for (const { name, role, workspaces } of this.company.people) {
      this.#step();
      const user = await accounts.createUser(
        name,
        addressOf(name),
        this.#audited<User>('user', ({ id }) => id),
      );
      const places = workspaces.map((slug) => ({ workspaceId: this.#workspace(slug).id, role: 'member' as const }));
      await this.rooms
        .get(Sql)
        .transaction((session) =>
          memberships.add(this.account.id, user.id, role, 'manual', places, 'operator', undefined, session),
        );
      this.#users.set(name, user);
    }
  }

  async #createKey(key: DemoKey, calls: readonly DemoCall[]): Promise<void> {
    this.#step();
    const { id: workspaceId } = this.#workspace(key.workspace);
    const creatorUserId = this.#users.get(key.owner)!.id;
    const { key: created } = await this.rooms.get(ApiKeys).issue(
      {
        accountId: this.account.id,
        workspaceId,
        keyClass: 'standard',
        name: key.name,
        creatorUserId,
        limitNano: limitOf(key, calls),
      },
      undefined,
      this.#audited<ApiKey>('api_key', ({ hash }) => hash),
    );
    this.#register(key, created);
  }

  /** Creates many keys in one transaction. Their secrets are not kept. */
  async #addKeys(keys: readonly DemoKey[]): Promise<void> {
    const audited = this.#audited<ApiKey>('api_key', ({ hash }) => hash);
    await this.rooms
      .get(EntityManager)
      .fork()
      .transactional(async (em) => {
        const rows = keys.map((key) => {
          this.#step();
          const secret = newKeySecret();
          const { no: _, ...like } = this.#keys.get(key.like!)!;
          return em.create(ApiKey, {
            ...like,
            hash: hashOfKey(secret),
            label: labelOfKey(secret),
            name: key.name,
            creatorUserId: this.#users.get(key.owner)!.id,
            limitNano: null,
            createdAt: this.clock.now(),
          });
        });
        await em.flush();
        for (const [place, row] of rows.entries()) {
          await audited(row, sessionOf(em));
          this.#register(keys[place]!, row);
        }
      });
  }

  #register(key: DemoKey, row: ApiKey): void {
    this.#keys.set(key.name, row);
    this.#payers.set(key.name, {
      accountNo: this.account.no,
      keyNo: row.no,
      parentKey: null,
      countsByok: false,
      workspaceNo: this.#workspace(key.workspace).no,
      creatorUserId: row.creatorUserId,
    });
  }

  async #createBudget(budget: DemoBudget, calls: readonly DemoCall[]): Promise<void> {
    this.#step();
    const { name, workspace, each, interval, usedShare, isSoft = false } = budget;
    const valueOf = ({ key }: DemoCall): string | undefined => {
      if (each) return key.owner;
      return key.workspace === workspace ? '' : undefined;
    };
    const limit = roundAmount(largestSpend(calls, interval, valueOf), usedShare);
    const scope = workspace === undefined ? {} : { workspace: this.#workspace(workspace).no };
    await this.rooms.get(Budgets).create(
      { accountId: this.account.id, accountNo: this.account.no },
      { name, scope, each, interval, limit, isSoft, countFrom: 'now' },
      this.#audited<Budget>('budget', ({ id }) => id),
    );
  }

  async #registerEndUsers(): Promise<void> {
    const endUsers = this.rooms.get(EndUsers);
    const audited = this.#audited<EndUser>('end_user', ({ trackingId }) => trackingId);
    for (let number = 1; number <= this.company.endUsers; number++) {
      const id = endUserId(number);
      await endUsers.register(this.account.id, id, audited);
      if (number % INACTIVE === 0) await endUsers.setActive(this.account.id, id, false, async () => undefined);
    }
  }

  #step(): void {
    const { workspaces, people, keys, budgets } = this.company;
    const steps = workspaces.length + people.length + keys.length + budgets.length;
    const ms = Math.min(MAX_STEP_MS, Math.floor(PREPARATION_MS / steps));
    this.clock.moveTo(new Date(this.clock.now().getTime() + ms));
  }

  #workspace(slug: string): Workspace {
    return this.#workspaces.get(slug)!;
  }

  #audited<Row>(kind: string, idOf: (row: Row) => string): ReturnType<typeof recorded<Row>> {
    return recorded<Row>(this.rooms, 'create', kind, (row) => ({ id: idOf(row), accountId: this.account.id }));
  }
}

/** The limit of a key; null = unlimited. */
function limitOf(key: DemoKey, calls: readonly DemoCall[]): Nano | null {
  if (key.usedShare === undefined) return null;
  const spent = largestSpend(calls, 'lifetime', (call) => (call.key === key ? '' : undefined));
  return roundAmount(spent, key.usedShare);
}

/** An e-mail address in the reserved domain example.com, so that it belongs to no one. */
const addressOf = (name: string): string =>
  `${name
    .normalize('NFD')
    .replace(/[^A-Za-z0-9 ]/g, '')
    .toLowerCase()
    .replaceAll(' ', '.')}@example.com`;
