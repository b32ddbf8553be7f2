import type { SqlFamily } from '../database/sql-family.js';
import { BUDGET_FUNCTIONS } from './ledger/sql/budgets.sql.js';
import { CREDIT_LEASE_FUNCTIONS } from './ledger/sql/credit-leases.sql.js';
import { ENTRY_FUNCTIONS } from './ledger/sql/entries.sql.js';
import { FINISH_FUNCTIONS } from './ledger/sql/finish.sql.js';
import { FREE_CALL_FUNCTIONS } from './ledger/sql/free-calls.sql.js';
import { JOURNAL_FUNCTIONS } from './ledger/sql/journal.sql.js';
import { LIMITS } from './ledger/sql/limits.sql.js';
import { RESERVE_FUNCTIONS } from './ledger/sql/reserve.sql.js';
import { SWEEP_FUNCTIONS } from './ledger/sql/sweep.sql.js';
import { THRESHOLD_FUNCTIONS } from './ledger/sql/thresholds.sql.js';

/** The functions of the ledger, in the order of their dependencies. */
export const LEDGER_SQL: readonly SqlFamily[] = [
  LIMITS,
  THRESHOLD_FUNCTIONS,
  BUDGET_FUNCTIONS,
  RESERVE_FUNCTIONS,
  FINISH_FUNCTIONS,
  CREDIT_LEASE_FUNCTIONS,
  JOURNAL_FUNCTIONS,
  FREE_CALL_FUNCTIONS,
  SWEEP_FUNCTIONS,
  ENTRY_FUNCTIONS,
];
