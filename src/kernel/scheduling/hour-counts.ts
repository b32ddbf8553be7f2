const MINUTE_MS = 60_000;
const MINUTES = 60;

interface Minute {
  readonly no: number;
  requests: number;
  errors: number;
}

/**
 * Counts requests and errors of the last hour. Counts are dropped by whole minutes, so the hour may be up to a minute
 * short.
 */
export class HourCounts {
  readonly #minutes: Minute[] = [];

  count(isError: boolean): void {
    const minute = this.#now();
    minute.requests++;
    if (isError) minute.errors++;
  }

  sums(): { readonly requests: number; readonly errors: number } {
    const since = Math.floor(Date.now() / MINUTE_MS) - MINUTES;
    let requests = 0;
    let errors = 0;
    for (const minute of this.#minutes)
      if (minute.no > since) {
        requests += minute.requests;
        errors += minute.errors;
      }
    return { requests, errors };
  }

  #now(): Minute {
    const no = Math.floor(Date.now() / MINUTE_MS);
    const last = this.#minutes.at(-1);
    if (last?.no === no) return last;
    const minute = { no, requests: 0, errors: 0 };
    this.#minutes.push(minute);
    if (this.#minutes.length > MINUTES) this.#minutes.shift();
    return minute;
  }
}
