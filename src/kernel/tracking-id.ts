import { faultOfName, lengthInCharacters } from './text.js';

export const LONGEST_TRACKING_ID = 256;

/** What is wrong with an end user's tracking id (specification, "End-user record"); undefined = nothing. */
export function faultOfTrackingId(id: string): string | undefined {
  const length = lengthInCharacters(id);
  return length < 1 || length > LONGEST_TRACKING_ID
    ? `must be 1 to ${LONGEST_TRACKING_ID} characters long`
    : faultOfName(id);
}
