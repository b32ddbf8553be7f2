import { settledSpend } from './account-totals.js';
import type { ScriptedVendor } from '../vendors/scripted-vendor.js';
import type { TestService } from '../services/test-service.js';

/** The total billed amount equals the price of the usage that the vendor reported. */
export async function expectBilledAsUsed(service: TestService, vendor: ScriptedVendor): Promise<void> {
  const spent = await settledSpend(service.sql);
  const calls = await service.sql.query<{ tokens_prompt: bigint; tokens_completion: bigint }>(
    `select coalesce(sum(tokens_prompt), 0)::bigint as tokens_prompt,
       coalesce(sum(tokens_completion), 0)::bigint as tokens_completion
     from generation
     where status = 200
       and id not in (select generation_id from billing_anomaly where kind = 'usage_missing')`,
  );
  expect(calls[0]).toEqual({
    tokens_prompt: BigInt(vendor.used.input),
    tokens_completion: BigInt(vendor.used.output),
  });
  const [entries] = await service.sql.query<{ sum: bigint }>(
    `select -sum(amount)::bigint as sum from ledger_line where kind = 'generation'`,
  );
  expect(entries!.sum).toBe(spent);
}
