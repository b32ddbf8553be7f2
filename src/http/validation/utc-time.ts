import { Matches } from 'class-validator';
import { invalidRequest } from '../../kernel/errors/errors.js';

const UTC_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|\+00:00)$/;

/** A text in the form of an ISO 8601 time in UTC. `existingTime` converts it. */
export const IsUtcTime = (): PropertyDecorator =>
  Matches(UTC_TIME, { message: '$property must be an ISO 8601 time in UTC, such as 2027-01-31T00:00:00Z' });

/** Converts a text that passed IsUtcTime. Throws `invalid_request` for a date that does not exist. */
export function existingTime(text: string, member: string): Date {
  const time = new Date(text);
  // JavaScript parses 30 February as 1 or 2 March, and accepts the year 0, which PostgreSQL does not have.
  const exists =
    !Number.isNaN(time.getTime()) && time.getUTCFullYear() > 0 && time.toISOString().slice(0, 10) === text.slice(0, 10);
  if (!exists) throw invalidRequest(`${member} must be a time that exists, from the year 1 to 9999`);
  return time;
}
