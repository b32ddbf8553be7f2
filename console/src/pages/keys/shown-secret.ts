import { useSyncExternalStore } from 'react';
import { Listeners } from '../../scope/listeners';

/** A new secret, which the service cannot show again. */
export interface ShownSecret {
  readonly secret: string;
  /** The id of the button that gets the focus back. */
  readonly opener: string;
}

let shown: ShownSecret | null = null;
const listeners = new Listeners();

function warn(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

function set(next: ShownSecret | null): void {
  shown = next;
  // Asks before the page is closed or loaded again.
  if (next) window.addEventListener('beforeunload', warn);
  else window.removeEventListener('beforeunload', warn);
  listeners.notify();
}

/** Shows a secret until the reader is done. It is kept outside the pages, which come and go with their queries. */
export const showSecret = (secret: string, opener: string): void => set({ secret, opener });
export const hideSecret = (): void => set(null);

export const useShownSecret = (): ShownSecret | null => useSyncExternalStore(listeners.subscribe, () => shown);
