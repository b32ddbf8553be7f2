/** A credential in the order of its provider: lower priorities are used first, equal ones share calls by weight. */
export interface Ranked {
  readonly id: string;
  readonly priority: number;
}

/** The new priorities of the credentials that change. */
export type PriorityChanges = readonly Ranked[];

/**
 * Moves a credential one step up: before the credentials with the same priority, or, if no other credential has its
 * priority, to the priority of the credentials before it. Empty if the credential is already first. The credential of
 * the environment has priority 0, which never changes.
 */
export function movedUp(rows: readonly Ranked[], id: string): PriorityChanges {
  const own = rows.find((row) => row.id === id)!;
  const others = rows.filter((row) => row !== own);
  const ahead = others.filter(({ priority }) => priority < own.priority);
  const nearest = Math.max(...ahead.map(({ priority }) => priority));
  if (others.every(({ priority }) => priority !== own.priority))
    return ahead.length > 0 ? [{ id, priority: nearest }] : [];
  if (own.priority - nearest > 1) return [{ id, priority: own.priority - 1 }];
  // No integer is free before `own.priority`. Shift the credentials on the side that does not contain priority 0.
  if (own.priority > 0)
    return shifted(
      others.filter(({ priority }) => priority >= own.priority),
      1,
    );
  return [...shifted(ahead, -1), { id, priority: own.priority - 1 }];
}

/** Moves a credential one step down, like `movedUp` in the reverse order. */
export const movedDown = (rows: readonly Ranked[], id: string): PriorityChanges => negated(movedUp(negated(rows), id));

const shifted = (rows: readonly Ranked[], by: number): Ranked[] =>
  rows.map(({ id, priority }) => ({ id, priority: priority + by }));

const negated = (rows: readonly Ranked[]): Ranked[] => rows.map(({ id, priority }) => ({ id, priority: 0 - priority }));
