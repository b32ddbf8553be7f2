import type { Members } from '../members.js';

/** One event of a stream. A type or a number inside `members` is ignored. */
export const eventText = (type: string, sequence: number, members: Members): string =>
  `event: ${type}\ndata: ${JSON.stringify({ ...members, type, sequence_number: sequence })}\n\n`;

/** Numbers the events of a stream in order. */
export class ResponseEvents {
  /** The number of the next event. */
  sequence = 0;

  event(type: string, members: Members): string {
    return eventText(type, this.sequence++, members);
  }

  /** `rest`: the members after the number, as JSON without the opening brace. */
  eventOf(type: string, rest: string): string {
    return `event: ${type}\ndata: {"type":"${type}","sequence_number":${this.sequence++},${rest}\n\n`;
  }
}
