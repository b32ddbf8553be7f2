import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Notifications } from '../../database/notifications.js';
import { Sql } from '../../database/sql.js';
import { atMostEntries } from '../../kernel/cache-options.js';
import { recordedText } from '../../usage/generation-detail.js';
import type { AttemptBudget, BudgetSubject, Payer } from '../bill.js';
import { BUDGET_CHANGED, type FoundBudgets } from '../ledger/named-budgets.js';
import { INSTALLATION, type DescribedBudget, type ScopeMember } from '../budget-scope.js';
import type { BudgetInterval } from '../budget-window.js';
import { AccountBudgets, type CallValues, type MatchedBudget } from './account-budgets.js';
import { SessionBudgets } from './session-budgets.js';

/** Even without a notification, a change takes effect on every replica within 5 s: this age plus the query's time. */
const MAX_AGE_MS = 4_000;
/** Budgets older than this are read again in the background, before MAX_AGE_MS is reached. */
const RENEW_AFTER_MS = 2_000;
const MAX_OTHERS = 1_000;

interface BudgetRow extends MatchedBudget {
  readonly level: ScopeMember;
  readonly reset: Exclude<BudgetInterval, 'lifetime'> | null;
}

/** Keeps all budgets in memory, without their limits, and decides in which of them a call counts. */
@Injectable()
export class BudgetDirectory {
  #accounts: ReadonlyMap<number, AccountBudgets> = new Map();
  /** Budgets of the whole installation, shared by accounts without budgets of their own. */
  #common: AccountBudgets | undefined;
  #byNo: ReadonlyMap<number, DescribedBudget> = new Map();
  /** Budgets that refused a call but are not in `#byNo`, such as session budgets. */
  readonly #others = new LRUCache<number, DescribedBudget>(atMostEntries(MAX_OTHERS));
  readonly #sessions: SessionBudgets;
  #version: bigint | undefined;
  /** When the budgets were last compared with the database, on the clock of performance.now(). */
  #checkedAt = -Infinity;
  /** Counts notifications. */
  #changes = 0;
  #loading: Promise<void> | undefined;

  constructor(
    private readonly sql: Sql,
    notifications: Notifications,
  ) {
    this.#sessions = new SessionBudgets(sql);
    const outdated = (): void => {
      this.#changes++;
      this.#checkedAt = -Infinity;
    };
    notifications.on(BUDGET_CHANGED, outdated);
    notifications.onGap(outdated);
  }

  /**
   * The budgets that an attempt of a call counts in; undefined = none. Synchronous while the budgets are fresh. Throws
   * invalid_request if too many of them are not soft.
   */
  of(payer: Payer, subject: BudgetSubject, attempt: AttemptBudget): FoundBudgets {
    const age = performance.now() - this.#checkedAt;
    if (age > MAX_AGE_MS) return this.#load().then(() => this.#find(payer, subject, attempt));
    if (age > RENEW_AFTER_MS) this.#load().catch(() => undefined);
    return this.#find(payer, subject, attempt);
  }

  /** Returns the level and the interval of a budget, for messages; undefined if there is no such budget. */
  async budget(no: number): Promise<DescribedBudget | undefined> {
    const known = this.#byNo.get(no) ?? this.#others.get(no);
    if (known) return known;
    const [row] = await this.sql.query<Pick<BudgetRow, 'level' | 'reset'>>(
      'select level, reset from budget where no = $1',
      [no],
    );
    if (!row) return undefined;
    this.#others.set(no, describe(row));
    return describe(row);
  }

  #find(payer: Payer, subject: BudgetSubject, attempt: AttemptBudget): FoundBudgets {
    const budgets = this.#accounts.get(payer.accountNo) ?? this.#common;
    return this.#sessions.add(budgets?.of(valuesOf(payer, subject, attempt)), payer, subject);
  }

  #load(): Promise<void> {
    return (this.#loading ??= this.#read().finally(() => {
      this.#loading = undefined;
    }));
  }

  async #read(): Promise<void> {
    const [startedAt, changes] = [performance.now(), this.#changes];
    const [row] = await this.sql.query<{ version: bigint }>('select version from budget_version');
    if (row!.version !== this.#version) {
      this.#index(
        await this.sql.query<BudgetRow>(
          `select no, rank, account_no, scope, each, counts_byok, is_soft, level, reset from budget
           where deleted_at is null and session_key_no is null order by no`,
        ),
      );
      this.#version = row!.version;
    }
    // If a change was notified during the query, the next call reads the budgets again.
    if (changes === this.#changes) this.#checkedAt = startedAt;
  }

  #index(rows: readonly BudgetRow[]): void {
    this.#byNo = new Map(rows.map((row) => [row.no, describe(row)]));
    const ofAccount = Map.groupBy(rows, ({ account_no: no }) => no);
    const common = ofAccount.get(INSTALLATION) ?? [];
    ofAccount.delete(INSTALLATION);
    this.#common = common.length === 0 ? undefined : new AccountBudgets(common);
    this.#accounts = new Map([...ofAccount].map(([no, own]) => [no, new AccountBudgets([...own, ...common])]));
  }
}

const describe = ({ level, reset }: Pick<BudgetRow, 'level' | 'reset'>): DescribedBudget => ({
  level,
  interval: reset ?? 'lifetime',
});

function valuesOf(
  { keyNo, parentKey, workspaceNo, creatorUserId }: Payer,
  { endUser, session, tags }: BudgetSubject,
  { model, provider, credentialId }: AttemptBudget,
): CallValues {
  return {
    workspace: listed(workspaceNo),
    user: listed(creatorUserId ?? undefined),
    key: parentKey ? [keyNo, parentKey.no] : [keyNo],
    end_user: listed(endUser),
    // The same text as in the records.
    session: listed(recordedText(session) ?? undefined),
    tag: tags,
    model: listed(model),
    provider: listed(provider),
    credential: listed(credentialId),
  };
}

const listed = <Value>(value: Value | undefined): Value[] | undefined => (value === undefined ? undefined : [value]);
