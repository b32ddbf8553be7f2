import { useSyncExternalStore } from 'react';
import { Listeners } from '../../scope/listeners';

/** A new secret, which the service cannot show again. */
export interface ShownSecret {
  readonly secret: string;
  /** The id of the button that gets the focus back. */
  readonly opener: string;
  /** The id of the member who owns the key; absent = the signed-in member. */
  readonly owner?: string;
}

let shown: ShownSecret | null = null;
const listeners = new Listeners();

function warn(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

function set(next: ShownSecret | null): void {
  shown = next;
  // The browser then asks before the page is closed or reloaded.
  if (next) window.addEventListener('beforeunload', warn);
  else window.removeEventListener('beforeunload', warn);
  listeners.notify();
}

/**
 * Shows a secret until the reader closes it. It is stored outside the pages, because they are removed and rendered
 * again with their queries.
 */
export const showSecret = (secret: string, opener: string, owner?: string): void => set({ secret, opener, owner });
export const hideSecret = (): void => set(null);

export const useShownSecret = (): ShownSecret | null => useSyncExternalStore(listeners.subscribe, () => shown);
