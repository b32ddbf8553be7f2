import { LRUCache } from 'lru-cache';
import { hash } from 'node:crypto';
import type { Sql } from '../../database/sql.js';
import type { BudgetSubject, Payer } from '../bill.js';
import type { NamedBudgets } from '../ledger/named-budgets.js';

const MAX_KEYS = 10_000;
/** A session is the value of its balance, unless it is longer, or PostgreSQL cannot store it. */
const MAX_SESSION_LENGTH = 256;

/**
 * The limits of money of sessions. A key has one budget for them, with a balance for each session: its limit is the one
 * of the key's settings, and the calls of a session can only lower it. The calls of its sessions are never leased, so
 * that each reservation reads the limit.
 */
export class SessionBudgets {
  /** By the number of a key: its budget, where a call of this process has named a limit. */
  readonly #made = new LRUCache<number, number | Promise<number>>({ max: MAX_KEYS });

  constructor(private readonly sql: Sql) {}

  /** The budgets of a call, with the one of its session where that may have a limit. */
  add(
    named: NamedBudgets | undefined,
    payer: Payer,
    { session, sessionLimit }: BudgetSubject,
  ): NamedBudgets | undefined | Promise<NamedBudgets | undefined> {
    if (session === undefined) return named;
    const keyNo = payer.parentKey?.no ?? payer.keyNo;
    const made = this.#made.get(keyNo);
    const isNew = sessionLimit !== undefined && !payer.sessionBudget?.isLimitedByCalls;
    const no = isNew ? (made ?? this.#make(keyNo)) : (payer.sessionBudget?.no ?? made);
    if (no === undefined) return named;
    const withSession = (budgetNo: number): NamedBudgets => {
      const countsByok = (payer.parentKey ? payer.parentKey.countsByok : payer.countsByok) ?? false;
      const own = { no: budgetNo, value: valueOf(session), countsByok, sessionLimit: sessionLimit ?? null };
      return { key: `${named?.key ?? ''}\n${own.no}:${own.value}`, all: [...(named?.all ?? []), own], mayLease: false };
    };
    return typeof no === 'number' ? withSession(no) : no.then(withSession);
  }

  /** Notes that calls of the key name limits, so that every call of its sessions names the budget from now on. */
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
