import type { INestApplicationContext } from '@nestjs/common';
import { ApiKeys } from '../../auth/api-keys.js';
import type { Account } from '../../database/entities/account.entity.js';
import type { ApiKey } from '../../database/entities/api-key.entity.js';
import { conflict, invalidRequest, notFound } from '../../kernel/errors/errors.js';
import { isUuid } from '../../kernel/ids.js';
import { MAX_NANO, parseDecimal, toNano, type Nano } from '../../kernel/money.js';
import { Accounts } from '../../tenancy/accounts.js';

const HASH_PREFIX = /^[0-9a-f]{8,64}$/;

// Parsers of command line values. Errors contain the name of the option.

export function id(text: string, option: string): string {
  if (!isUuid(text))
    throw invalidRequest(
      `${option} must be an id such as 01a1fb5e-7697-73ee-a7fa-328a78871244: the list commands show the ids`,
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

/** The text of a price, as the catalogue stores it. */
export function priceText(text: string, option: string): string {
  if (text.length > 40 || !/^\d+(\.\d+)?$/.test(text))
    throw invalidRequest(`${option} must be an amount of USD of at least 0 such as 0.25. Nothing was changed.`);
  return text;
}

/** The account that --account names; without the option, the first account. Throws if there is none. */
export async function accountOf(rooms: INestApplicationContext, given: string | undefined): Promise<Account> {
  const accounts = rooms.get(Accounts);
  const account = given === undefined ? (await accounts.list())[0] : await accounts.find(id(given, '--account'));
  if (account) return account;
  throw invalidRequest(
    given === undefined
      ? 'There is no account yet: start the service once, or use `accounts create`'
      : `No account has the id ${given}`,
  );
}

/**
 * The key whose hash starts with `beginning`: 8 to 64 lowercase hex digits. Throws if the digits are invalid, or if no
 * key or more than one key matches.
 */
export async function keyOf(rooms: INestApplicationContext, beginning: string): Promise<ApiKey> {
  if (!HASH_PREFIX.test(beginning))
    throw invalidRequest(
      '<hash> must be the hash of a key, or at least its first 8 hex digits: `keys list` shows them',
    );
  const found = await rooms.get(ApiKeys).list({ hash: { $like: `${beginning}%` } }, { offset: 0, limit: 100 });
  if (found.length > 1)
    throw conflict(`${beginning} is the beginning of ${found.length} keys: give a longer part of the hash`);
  const [key] = found;
  if (!key) throw notFound(`No API key has a hash that begins with ${beginning}`);
  return key;
}
