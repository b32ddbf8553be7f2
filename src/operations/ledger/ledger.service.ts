import { Injectable } from '@nestjs/common';
import { ApiKeys } from '../../auth/api-keys.js';
import { LedgerEntries, type LedgerPage } from '../../billing/ledger-entries.js';
import { DEFAULT_PAGE_ITEMS } from '../../http/validation/cursor-page.request.dto.js';
import { notFound } from '../../kernel/errors/errors.js';
import { parseGenerationId } from '../../kernel/ids.js';
import type { Principal } from '../../kernel/principal.js';
import { timeRangeOf } from '../../usage/time-range.js';
import type { ListLedgerRequest } from './dto/ledger.request.dto.js';

@Injectable()
export class LedgerService {
  constructor(
    private readonly ledger: LedgerEntries,
    private readonly keys: ApiKeys,
  ) {}

  async list(
    request: ListLedgerRequest,
    caller: Principal,
  ): Promise<{ readonly page: LedgerPage; readonly keys: ReadonlyMap<number, string> }> {
    const { kind, generation_id: publicId, cursor, limit = DEFAULT_PAGE_ITEMS } = request;
    const generationId = publicId === undefined ? undefined : parseGenerationId(publicId);
    if (publicId !== undefined && generationId === undefined) throw notFound('No generation has this id');
    const page = await this.ledger.page(caller.accountNo, {
      kind,
      generationId,
      keyNo: await this.#keyNoOf(request, caller),
      ...timeRangeOf(request),
      cursor,
      limit,
    });
    const keyNos = page.entries.flatMap(({ keyNo }) => keyNo ?? []);
    return { page, keys: await this.keys.hashesOf(caller.accountId, keyNos) };
  }

  /** Returns the number of the key with a hash. Finds deleted keys and former hashes too. */
  async #keyNoOf({ api_key_hash: hash }: ListLedgerRequest, { accountId }: Principal): Promise<number | undefined> {
    if (hash === undefined) return undefined;
    const [key] = await this.keys.everMade({ accountId }, { hash });
    if (!key) throw notFound('No API key has this hash');
    return key.no;
  }
}
