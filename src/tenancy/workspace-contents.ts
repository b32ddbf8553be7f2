import { Injectable } from '@nestjs/common';
import type { SqlSession } from '../database/sql.js';

/** Counts the resources of one kind in a workspace, in the transaction that deletes the workspace. */
type CountInWorkspace = (workspaceId: string, session: SqlSession) => Promise<number>;

/** Counts the rows of a table in a workspace. `condition`: SQL that the rows must fulfil. */
export const rowsOfTable =
  (table: string, condition = 'true'): CountInWorkspace =>
  async (workspaceId, session) => {
    const [row] = await session.query<{ found: number }>(
      `select count(*)::int as found from ${table} where workspace_id = $1 and ${condition}`,
      [workspaceId],
    );
    return row!.found;
  };

/**
 * The contents that prevent a workspace from being deleted. A module with resources in workspaces registers a counter
 * in a constructor. The module creates its resources under a share lock on the workspace's row (`Workspaces.hold`), so
 * that no resource is orphaned.
 */
@Injectable()
export class WorkspaceContents {
  readonly #counts = new Map<string, CountInWorkspace>();

  /** `noun`: the name of the resources in the plural for the message, such as `keys` or `files`. */
  register(noun: string, count: CountInWorkspace): void {
    this.#counts.set(noun, count);
  }

  /** A text such as `files (1), keys (2)`; empty if nothing is left. */
  async leftIn(workspaceId: string, session: SqlSession): Promise<string> {
    const left: string[] = [];
    for (const [noun, count] of [...this.#counts].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
      const found = await count(workspaceId, session);
      if (found > 0) left.push(`${noun} (${found})`);
    }
    return left.join(', ');
  }
}
