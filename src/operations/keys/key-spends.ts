import { Injectable } from '@nestjs/common';
import { KeyUses } from '../../auth/key-uses.js';
import { Balances } from '../../billing/balances.js';
import type { ApiKey } from '../../database/entities/api-key.entity.js';
import type { KeyWithSpend } from './keys.wire.js';

/** Adds the spend and the last use to keys. */
@Injectable()
export class KeySpends {
  constructor(
    private readonly balances: Balances,
    private readonly uses: KeyUses,
  ) {}

  async ofAll(keys: readonly ApiKey[]): Promise<KeyWithSpend[]> {
    const numbers = keys.map(({ no }) => no);
    const [spends, uses] = [await this.balances.ofKeys(numbers), await this.uses.ofKeys(numbers)];
    return keys.map((key) => {
      const spend = spends.get(key.no);
      if (!spend) throw new Error(`key ${key.no} has no balance`);
      return { key, spend, lastUsedAt: uses.get(key.no) ?? null };
    });
  }

  async of(key: ApiKey): Promise<KeyWithSpend> {
    const [one] = await this.ofAll([key]);
    return one!;
  }
}
