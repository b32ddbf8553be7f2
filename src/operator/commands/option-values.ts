import type { INestApplicationContext } from '@nestjs/common';
import type { Account } from '../../database/entities/account.entity.js';
import { invalidRequest } from '../../kernel/errors/errors.js';
import { isUuid } from '../../kernel/ids.js';
import { MAX_NANO, parseDecimal, toNano, type Nano } from '../../kernel/money.js';
import { Accounts } from '../../tenancy/accounts.js';

// Parsers of command line values. Errors contain the name of the option.

export function id(text: string, option: string): string {
  if (!isUuid(text))
    throw invalidRequest(
      `${option} must be an id such as 01a1fb5e-7697-73ee-a7fa-328a78871244: the list commands show them`,
    );
  return text.toLowerCase();
}

export function time(text: string, option: string): Date {
  const at = new Date(text);
  if (!/^\d{4}-\d{2}-\d{2}/.test(text) || Number.isNaN(at.getTime())) {
    throw invalidRequest(`${option} must be an ISO 8601 time such as 2026-11-20 or 2026-11-20T10:00:00Z`);
  }
  return at;
}

export function countOption(text: string, option: string, max: number): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < 1 || value > max)
    throw invalidRequest(`${option} must be a whole number from 1 to ${max}`);
  return value;
}

export function amount(text: string, option: string): Nano {
  const decimal = parseDecimal(text);
  if (!decimal || text.length > 40) throw invalidRequest(`${option} must be an amount of USD such as 12.50`);
  const nano = toNano(decimal);
  if (nano > MAX_NANO / 1000n || nano < -MAX_NANO / 1000n) throw invalidRequest(`${option} is too large`);
  return nano;
}

/** The account of --account, or otherwise the first one. */
export async function accountOf(rooms: INestApplicationContext, given: string | undefined): Promise<Account> {
  const accounts = rooms.get(Accounts, { strict: false });
  const account = given ? await accounts.find(id(given, '--account')) : (await accounts.list())[0];
  if (account) return account;
  throw invalidRequest(
    given
      ? `No account has the id ${given}`
      : 'There is no account yet: start the service once, or use `accounts create`',
  );
}
