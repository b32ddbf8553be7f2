import type { BudgetEntry, BudgetInterval, BudgetScope, ScopeMember } from '../../api/budgets';
import { highestUse } from './budget-use';

/** From the root of the tree to its leaves. */
export const SCOPE_MEMBERS: readonly ScopeMember[] = [
  'workspace_id',
  'user_id',
  'api_key_hash',
  'end_user',
  'tag',
  'session',
  'model',
  'provider',
  'credential_id',
];

export const INTERVALS: readonly BudgetInterval[] = ['daily', 'weekly', 'monthly', 'lifetime'];

/** One member of a scope. */
export interface Step {
  /** `account`: the root for everything outside workspaces. */
  readonly member: ScopeMember | 'account';
  /** Null = each value. */
  readonly value: string | null;
}

/** The budgets of one scope. */
export interface BudgetRow {
  readonly id: string;
  readonly path: readonly Step[];
  /** In the order of their intervals. */
  readonly entries: readonly BudgetEntry[];
  readonly hasChildren: boolean;
}

/** The workspace of a key, if it is known. */
export type WorkspaceOfKey = (hash: string) => string | undefined;

const ACCOUNT: Step = { member: 'account', value: null };

/** The path to a budget in the tree. A key is below its workspace. */
export function pathOf({ budget: { scope, each } }: BudgetEntry, workspaceOf: WorkspaceOfKey): Step[] {
  const workspace = scope.workspace_id ?? (scope.api_key_hash && workspaceOf(scope.api_key_hash));
  const full: BudgetScope =
    workspace === undefined || each === 'workspace_id' ? scope : { ...scope, workspace_id: workspace };
  const steps = SCOPE_MEMBERS.flatMap((member): Step[] => {
    const value = full[member];
    return value === undefined && each !== member ? [] : [{ member, value: value ?? null }];
  });
  return steps[0]?.member === 'workspace_id' ? steps : [ACCOUNT, ...steps];
}

interface Branch {
  readonly id: string;
  readonly path: readonly Step[];
  readonly entries: BudgetEntry[];
  readonly branches: Map<string, Branch>;
  /** The highest share in the branch. */
  share: number;
}

const branch = (id: string, path: readonly Step[]): Branch => ({
  id,
  path,
  entries: [],
  branches: new Map(),
  share: -1,
});

const byInterval = (a: BudgetEntry, b: BudgetEntry): number =>
  INTERVALS.indexOf(a.budget.interval) - INTERVALS.indexOf(b.budget.interval);

/** The rows of the tree from top to bottom. Among siblings, the branch with the highest share comes first. */
export function treeRows(
  entries: readonly BudgetEntry[],
  workspaceOf: WorkspaceOfKey,
  isClosed: (id: string) => boolean,
): BudgetRow[] {
  const root = branch('', []);
  for (const entry of entries) {
    const { share } = highestUse(entry);
    const path = pathOf(entry, workspaceOf);
    let at = root;
    for (const [depth, { member, value }] of path.entries()) {
      const id = `${at.id}/${member}=${value === null ? '*' : encodeURIComponent(value)}`;
      const next = at.branches.get(id) ?? branch(id, path.slice(0, depth + 1));
      at.branches.set(id, next);
      next.share = Math.max(next.share, share);
      at = next;
    }
    at.entries.push(entry);
  }
  const rowsBelow = ({ branches }: Branch): BudgetRow[] =>
    [...branches.values()]
      .toSorted((a, b) => b.share - a.share)
      .flatMap((each) => {
        const { id, path } = each;
        const hasChildren = each.branches.size > 0;
        const row = { id, path, entries: each.entries.toSorted(byInterval), hasChildren };
        return [row, ...(isClosed(id) ? [] : rowsBelow(each))];
      });
  return rowsBelow(root);
}

/** A row for each budget, the highest share first. */
export const rowsByShare = (entries: readonly BudgetEntry[], workspaceOf: WorkspaceOfKey): BudgetRow[] =>
  entries
    .toSorted((a, b) => highestUse(b).share - highestUse(a).share)
    .map((entry) => ({
      id: entry.budget.id,
      path: pathOf(entry, workspaceOf),
      entries: [entry],
      hasChildren: false,
    }));
