/** `local` = the zone of the browser. */
export type Zone = 'local' | 'utc';

const STORED = 'gatehouse.zone';

let current: Zone = readStored();

function readStored(): Zone {
  // Storage may be refused, or absent in tests.
  try {
    return localStorage.getItem(STORED) === 'utc' ? 'utc' : 'local';
  } catch {
    return 'local';
  }
}

/** The zone for displayed times and for the start of days. */
export const zone = (): Zone => current;

/** The caller must re-render the pages that show times. */
export function setZone(chosen: Zone): void {
  current = chosen;
  try {
    localStorage.setItem(STORED, chosen);
  } catch {
    // Without storage, the choice is lost when the page is reloaded.
  }
}

/** The time zone for Intl; undefined = the browser's. */
export const timeZone = (): 'UTC' | undefined => (current === 'utc' ? 'UTC' : undefined);
