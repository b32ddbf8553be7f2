import { faultOfName, isLongerThan } from '../../kernel/text/text.js';

export const MAX_TRACKING_ID_LENGTH = 256;

/** What is wrong with an end user's tracking id; undefined if it is valid. */
export function faultOfTrackingId(id: string): string | undefined {
  return id.length === 0 || isLongerThan(id, MAX_TRACKING_ID_LENGTH)
    ? `must be 1 to ${MAX_TRACKING_ID_LENGTH} characters long`
    : faultOfName(id);
}
