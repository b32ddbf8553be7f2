import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo, useSyncExternalStore } from 'react';
import { queries } from '../api/queries';
import { rangeOf, type TimeRange } from '../format/ranges';
import { setZone, zone, type Zone } from '../format/zone';
import { Listeners } from './listeners';
import type { ScopeSearch } from './scope-search';

/** The choices of the header for all pages. */
export interface Scope extends ScopeSearch {
  readonly zone: Zone;
  /** The time range at `asOf`. */
  readonly time: TimeRange;
  /** When the data were last requested. */
  readonly asOf: number;
}

let asOf = Date.now();
const listeners = new Listeners();

/**
 * Reads all data again, up to now. The next rendering starts the queries whose time range changes; they are not started
 * twice.
 */
export function refresh(): void {
  asOf = Date.now();
  listeners.notify();
  setTimeout(() => void queries.invalidateQueries({}, { cancelRefetch: false }));
}

/** The maximum age of the data when a page is opened. */
const MAX_AGE_MS = 60_000;

/** Call it when another page is opened. */
export function refreshIfOld(): void {
  if (Date.now() - asOf > MAX_AGE_MS) refresh();
}

export function chooseZone(chosen: Zone): void {
  setZone(chosen);
  listeners.notify();
}

/** The workspace, the time range and the zone of the page. */
export function useScope(): Scope {
  const search = useSearch({ from: '__root__' });
  const now = useSyncExternalStore(listeners.subscribe, () => asOf);
  const chosenZone = useSyncExternalStore(listeners.subscribe, zone);
  const { workspace, range, from, to } = search;
  const time = useMemo(() => rangeOf({ range, from, to }, chosenZone, now), [range, from, to, chosenZone, now]);
  return { workspace, range, from, to, zone: chosenZone, time, asOf: now };
}

/** Changes a part of the choices on the current page; `undefined` removes it. */
export function useScopeChange(): (part: ScopeSearch) => void {
  const navigate = useNavigate();
  return (part) => void navigate({ to: '.', search: (now) => ({ ...now, ...part }), replace: true });
}
