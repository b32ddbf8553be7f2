import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from '../../src/database/sql.js';
import { imbalances, readBooks, type Books } from '../support/money/count-the-money.js';

const SETTLED_WITHIN_MS = 45_000;

/**
 * The books after all reservations have ended, or after the timeout, with the reservations that are still open.
 */
export async function settledBooks(sql: Sql): Promise<Books> {
  const until = performance.now() + SETTLED_WITHIN_MS;
  for (;;) {
    const books = await readBooks(sql);
    if (books.openReservations === 0n || performance.now() > until) return books;
    await sleep(250);
  }
}

/** The faults of settled books, one line each. */
export const moneyFaults = (books: Books): string[] =>
  [
    ...imbalances(books),
    ...(books.openReservations === 0n ? [] : [`${books.openReservations} reservations remain open`]),
  ].map((fault) => `the money: ${fault}`);
