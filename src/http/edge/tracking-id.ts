import { faultOfName, isLongerThan } from '../../kernel/text/text.js';

const MAX_TRACKING_ID_LENGTH = 256;

/** The reason why an end user's tracking id is invalid; undefined if it is valid. */
export function faultOfTrackingId(id: string): string | undefined {
  return id.length === 0 || isLongerThan(id, MAX_TRACKING_ID_LENGTH)
    ? `must be 1 to ${MAX_TRACKING_ID_LENGTH} characters long`
    : faultOfName(id);
}
