import type { AuditAction } from '../../audit/audit-entry.js';
import type { AuditTrail } from '../../audit/audit-trail.js';
import { changedSettings } from '../../audit/setting-changes.js';
import type { Budget } from '../../billing/budget.js';
import type { SqlSession } from '../../database/sql.js';
import type { Principal } from '../../kernel/principal.js';
import { toAuditedSettings } from './budgets.wire.js';

/** `before`: the budget before a change. */
type Audited = (budget: Budget, session: SqlSession, before?: Budget) => Promise<void>;

/** Records an action on a budget, with the changed settings, in the transaction of the action. */
export const auditedBudget =
  (audit: AuditTrail, action: AuditAction, by: Principal): Audited =>
  (budget, session, before) => {
    const { id } = budget;
    const changes =
      action === 'delete' ? undefined : changedSettings(before && toAuditedSettings(before), toAuditedSettings(budget));
    return audit.record({ by, action, kind: 'budget', id, changes }, session);
  };
