import { Injectable } from '@nestjs/common';
import type { SqlSession } from '../database/sql.js';

/** How many things of one kind live in a workspace. Asked within the transaction that deletes it. */
export type CountInWorkspace = (workspaceId: string, session: SqlSession) => Promise<number>;

/**
 * What may live in a workspace and keeps it from being deleted. Whoever puts things there registers a count in its
 * constructor, and creates them under a share lock on the workspace's row (`Workspaces.hold`), so that none is left behind.
 */
@Injectable()
export class WorkspaceContents {
  readonly #counts = new Map<string, CountInWorkspace>();

  /** `noun`: in the plural, as the refusal says it: `keys`, `files`. */
  register(noun: string, count: CountInWorkspace): void {
    this.#counts.set(noun, count);
  }

  /** Such as `files (1), keys (2)`; empty where nothing is left. */
  async leftIn(workspaceId: string, session: SqlSession): Promise<string> {
    const left: string[] = [];
    for (const [noun, count] of [...this.#counts].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
      const found = await count(workspaceId, session);
      if (found > 0) left.push(`${noun} (${found})`);
    }
    return left.join(', ');
  }
}
