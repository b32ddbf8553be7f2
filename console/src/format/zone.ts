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

/** The zone in which times are shown and days begin. */
export const zone = (): Zone => current;

/** Pages that show times are rendered again by the caller. */
export function setZone(chosen: Zone): void {
  current = chosen;
  try {
    localStorage.setItem(STORED, chosen);
  } catch {
    // The choice is kept until the page is loaded again.
  }
}

/** The time zone for Intl; undefined = the browser's. */
export const timeZone = (): 'UTC' | undefined => (current === 'utc' ? 'UTC' : undefined);
