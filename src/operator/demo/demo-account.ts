import type { INestApplicationContext } from '@nestjs/common';
import { ApiKeys } from '../../auth/api-keys.js';
import type { Payer } from '../../billing/bill.js';
import { Balances } from '../../billing/balances.js';
import type { Budget } from '../../billing/budget.js';
import { Budgets } from '../../billing/budgets.js';
import type { Account } from '../../database/entities/account.entity.js';
import type { ApiKey } from '../../database/entities/api-key.entity.js';
import type { EndUser } from '../../database/entities/end-user.entity.js';
import type { User } from '../../database/entities/user.entity.js';
import type { Workspace } from '../../database/entities/workspace.entity.js';
import { Sql } from '../../database/sql.js';
import type { Nano } from '../../kernel/money.js';
import { Memberships } from '../../members/memberships.js';
import { Accounts } from '../../tenancy/accounts.js';
import { EndUsers } from '../../tenancy/end-users.js';
import { Workspaces } from '../../tenancy/workspaces.js';
import { recorded } from '../operator-audit.js';
import type { DemoClock } from './demo-clock.js';
import { endUserId, type DemoBudget, type DemoCompany, type DemoKey } from './demo-data.js';
import type { DemoCall } from './demo-schedule.js';
import { largestSpend, roundAmount } from './demo-sums.js';

/** Between two things that are created. */
const STEP_MS = 97_000;
/** One customer in so many is no longer active. */
const INACTIVE = 17;

/** Who pays for the calls of a key, by its name. */
export type DemoPayers = ReadonlyMap<string, Payer & { readonly workspaceNo: number }>;

/** Creates what the calls of the demo data name, as the API does, one thing after the other. */
export class DemoAccount {
  readonly #workspaces = new Map<string, Workspace>();
  readonly #users = new Map<string, User>();
  readonly #payers = new Map<string, Payer & { readonly workspaceNo: number }>();

  constructor(
    private readonly rooms: INestApplicationContext,
    private readonly clock: DemoClock,
    private readonly account: Account,
    private readonly company: DemoCompany,
  ) {}

  /** Limits and budgets are such that `calls` spend the shares of them that the data says. */
  async create(calls: readonly DemoCall[]): Promise<DemoPayers> {
    await this.#createWorkspaces();
    await this.#createPeople();
    for (const key of this.company.keys) await this.#createKey(key, calls);
    for (const budget of this.company.budgets) await this.#createBudget(budget, calls);
    await this.#registerEndUsers();
    return this.#payers;
  }

  async grant(amount: Nano, reason: string): Promise<void> {
    const grant = { accountNo: this.account.no, amount, kind: 'grant', reason } as const;
    const idempotencyId = `demo ${this.clock.now().toISOString()}`;
    const audited = recorded(this.rooms, 'grant', 'credits', () => ({ id: idempotencyId, accountId: this.account.id }));
    await this.rooms.get(Balances, { strict: false }).grant({ ...grant, idempotencyId }, audited);
  }

  async #createWorkspaces(): Promise<void> {
    const workspaces = this.rooms.get(Workspaces, { strict: false });
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
    const accounts = this.rooms.get(Accounts, { strict: false });
    const memberships = this.rooms.get(Memberships, { strict: false });
    for (const { name, role, workspaces } of this.company.people) {
      this.#step();
      const user = await accounts.createUser(
        name,
        addressOf(name),
        this.#audited<User>('user', ({ id }) => id),
      );
      const places = workspaces.map((slug) => ({ workspaceId: this.#workspace(slug).id, role: 'member' as const }));
      await this.rooms
        .get(Sql, { strict: false })
        .transaction((session) =>
          memberships.add(this.account.id, user.id, role, 'manual', places, 'operator', undefined, session),
        );
      this.#users.set(name, user);
    }
  }

  async #createKey(key: DemoKey, calls: readonly DemoCall[]): Promise<void> {
    this.#step();
    const { id: workspaceId, no: workspaceNo } = this.#workspace(key.workspace);
    const creatorUserId = this.#users.get(key.owner)!.id;
    const spent = largestSpend(calls, 'lifetime', (call) => (call.key === key ? '' : undefined));
    const { key: created } = await this.rooms.get(ApiKeys, { strict: false }).issue(
      {
        accountId: this.account.id,
        workspaceId,
        keyClass: 'standard',
        name: key.name,
        creatorUserId,
        limitNano: key.usedShare === undefined ? null : roundAmount(spent, key.usedShare),
      },
      undefined,
      this.#audited<ApiKey>('api_key', ({ hash }) => hash),
    );
    this.#payers.set(key.name, {
      accountNo: this.account.no,
      keyNo: created.no,
      parentKey: null,
      countsByok: false,
      workspaceNo,
      creatorUserId,
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
    await this.rooms.get(Budgets, { strict: false }).create(
      { accountId: this.account.id, accountNo: this.account.no },
      { name, scope, each, interval, limit, isSoft, countFrom: 'now' },
      this.#audited<Budget>('budget', ({ id }) => id),
    );
  }

  async #registerEndUsers(): Promise<void> {
    const endUsers = this.rooms.get(EndUsers, { strict: false });
    const audited = this.#audited<EndUser>('end_user', ({ trackingId }) => trackingId);
    for (let number = 1; number <= this.company.endUsers; number++) {
      const id = endUserId(number);
      await endUsers.register(this.account.id, id, audited);
      if (number % INACTIVE === 0) await endUsers.setActive(this.account.id, id, false, async () => undefined);
    }
  }

  #step(): void {
    this.clock.moveTo(new Date(this.clock.now().getTime() + STEP_MS));
  }

  #workspace(slug: string): Workspace {
    return this.#workspaces.get(slug)!;
  }

  #audited<Row>(kind: string, idOf: (row: Row) => string): ReturnType<typeof recorded<Row>> {
    return recorded<Row>(this.rooms, 'create', kind, (row) => ({ id: idOf(row), accountId: this.account.id }));
  }
}

/** An address that nobody has. */
const addressOf = (name: string): string =>
  `${name
    .normalize('NFD')
    .replace(/[^A-Za-z ]/g, '')
    .toLowerCase()
    .replaceAll(' ', '.')}@example.com`;
