/** A credential in the order of its provider: lower priorities are used first, equal ones share calls by weight. */
export interface Ranked {
  readonly id: string;
  readonly priority: number;
}

/** The present priorities, as far as they change. */
export type PriorityChanges = readonly Ranked[];

/**
 * One step up. A credential that shares its priority leaves it, ahead of the others. One that has it alone joins the
 * priority ahead. Empty = it is first already. The credential of the environment has 0 and never changes.
 */
export function movedUp(rows: readonly Ranked[], id: string): PriorityChanges {
  const own = rows.find((row) => row.id === id)!;
  const others = rows.filter((row) => row !== own);
  const ahead = others.filter(({ priority }) => priority < own.priority);
  const nearest = Math.max(...ahead.map(({ priority }) => priority));
  if (others.every(({ priority }) => priority !== own.priority))
    return ahead.length > 0 ? [{ id, priority: nearest }] : [];
  if (own.priority - nearest > 1) return [{ id, priority: own.priority - 1 }];
  // No whole number lies between: those on the side that does not have 0 make room.
  if (own.priority > 0)
    return shifted(
      others.filter(({ priority }) => priority >= own.priority),
      1,
    );
  return [...shifted(ahead, -1), { id, priority: own.priority - 1 }];
}

/** One step down, as `movedUp` with the order reversed. */
export const movedDown = (rows: readonly Ranked[], id: string): PriorityChanges => negated(movedUp(negated(rows), id));

const shifted = (rows: readonly Ranked[], by: number): Ranked[] =>
  rows.map(({ id, priority }) => ({ id, priority: priority + by }));

const negated = (rows: readonly Ranked[]): Ranked[] => rows.map(({ id, priority }) => ({ id, priority: 0 - priority }));
