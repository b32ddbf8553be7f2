import { LRUCache } from 'lru-cache';
import { hash } from 'node:crypto';
import type { Sql } from '../../database/sql.js';
import { atMostEntries } from '../../kernel/cache-options.js';
import type { BudgetSubject, Payer } from '../bill.js';
import { keyPartOf, type FoundBudgets, type NamedBudgets } from '../ledger/named-budgets.js';

const MAX_KEYS = 10_000;
/**
 * The maximum length of a session id that is stored in a balance. A longer id, or an id that PostgreSQL cannot store,
 * is replaced by its hash.
 */
const MAX_SESSION_LENGTH = 256;

/**
 * The spending limits of sessions. A key has one budget for all its sessions, with one balance for each session. The
 * limit of the budget is set by the key's settings, and a call can only lower it for its session. Calls that count in
 * such a budget never use a credit lease, so that each reservation checks the limit.
 */
export class SessionBudgets {
  /**
   * The numbers of session budgets, by the number of the key. Has only keys for which a call in this process has set a
   * limit.
   */
  readonly #made = new LRUCache<number, number | Promise<number>>(atMostEntries(MAX_KEYS));

  constructor(private readonly sql: Sql) {}

  /** Returns the given budgets of a call, plus the budget of its session if the session may have a limit. */
  add(named: NamedBudgets | undefined, payer: Payer, { session, sessionLimit }: BudgetSubject): FoundBudgets {
    if (session === undefined) return named;
    const keyNo = payer.parentKey?.no ?? payer.keyNo;
    const made = this.#made.get(keyNo);
    const isNew = sessionLimit !== undefined && !payer.sessionBudget?.isLimitedByCalls;
    const no = isNew ? (made ?? this.#make(keyNo)) : (payer.sessionBudget?.no ?? made);
    if (no === undefined) return named;
    const withSession = (budgetNo: number): NamedBudgets => {
      const countsByok = (payer.parentKey ? payer.parentKey.countsByok : payer.countsByok) ?? false;
      const own = { no: budgetNo, value: valueOf(session), countsByok, sessionLimit: sessionLimit ?? null };
      return { key: `${named?.key ?? ''}\n${keyPartOf(own)}`, all: [...(named?.all ?? []), own], mayLease: false };
    };
    return typeof no === 'number' ? withSession(no) : no.then(withSession);
  }

  /** Records that calls of the key set limits. From then on, every call in its sessions counts in the budget. */
  #make(keyNo: number): Promise<number> {
    const made = this.sql.query<{ no: number }>('select set_session_budget($1, true) as no', [keyNo]).then(([row]) => {
      this.#made.set(keyNo, row!.no);
      return row!.no;
    });
    this.#made.set(keyNo, made);
    made.catch(() => this.#made.delete(keyNo));
    return made;
  }
}

const valueOf = (session: string): string =>
  session.length <= MAX_SESSION_LENGTH && session.isWellFormed() && !session.includes('\0')
    ? session
    : `sha256:${hash('sha256', session, 'base64url')}`;
