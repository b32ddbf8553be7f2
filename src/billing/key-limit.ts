import type { Nano } from '../kernel/money.js';
import type { KeySpend } from './balances.js';

export interface KeyLimit {
  readonly limit: Nano | null;
  readonly reset: 'daily' | 'weekly' | 'monthly' | null;
  readonly includeByok: boolean;
}

/** What is left of a key's limit in its present window; null = unlimited, 0 where it was lowered below what is spent. */
export function limitRemaining(limit: KeyLimit, spend: KeySpend): Nano | null {
  if (limit.limit === null) return null;
  const window = limit.reset ?? 'total';
  const counted = spend.usage[window] + (limit.includeByok ? spend.byokUsage[window] : 0n);
  return limit.limit > counted ? limit.limit - counted : 0n;
}
