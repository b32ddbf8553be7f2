import type { Mutation } from './mutation.js';

export const MONEY: readonly Mutation[] = [
  {
    name: 'reservation-of-a-failed-call-stays',
    file: 'src/billing/spending.ts',
    text: `    } catch (error) {
      await this.#release(call, request.recordFailure(error));
      throw error;
    }
  }

  /** A failed release`,
    replacement: `    } catch (error) {
      throw error;
    }
  }

  /** A failed release`,
    tests: ['src/billing/spending.spec.ts', 'test/e2e/vendors/vendor-faults.e2e-spec.ts'],
  },
  {
    name: 'settlement-charges-nothing',
    file: 'src/billing/open-call.ts',
    text: 'own ? 0n : bill.price, own ?',
    replacement: 'own ? 0n : 0n, own ?',
    tests: ['test/e2e/chat-money/generations.e2e-spec.ts', 'src/billing/spending.spec.ts'],
  },
  {
    name: 'caller-who-leaves-in-mid-stream-pays-nothing',
    file: 'src/billing/spending.ts',
    text: 'else if (progress.sent && callerLeft) await this.#settleLeft',
    replacement: 'else if (progress.sent && !callerLeft) await this.#settleLeft',
    tests: ['test/e2e/chat-money/leaving-callers.e2e-spec.ts', 'src/billing/spending.spec.ts'],
  },
  {
    name: 'price-rounded-down',
    file: 'src/kernel/money.ts',
    text: '(magnitude * 2n + divisor) / (divisor * 2n)',
    replacement: 'magnitude / divisor',
    tests: ['src/kernel/money.spec.ts', 'src/inference/text/token-price.properties.spec.ts'],
  },
  {
    name: 'cached-tokens-billed-twice',
    file: 'src/inference/text/token-price.ts',
    text: 'usage.prompt - usage.cacheRead - written - usage.inputAudio',
    replacement: 'usage.prompt - written - usage.inputAudio',
    tests: ['src/inference/text/token-price.properties.spec.ts', 'test/e2e/chat-money/generations.e2e-spec.ts'],
  },
  {
    name: 'price-tier-begins-one-token-late',
    file: 'src/inference/text/token-rates.ts',
    text: 'promptTokens < (tier.minPromptTokens ?? 0)',
    replacement: 'promptTokens <= (tier.minPromptTokens ?? -1)',
    tests: ['src/inference/text/usage-prices.spec.ts', 'test/e2e/chat-money/price-rules.e2e-spec.ts'],
  },
  {
    name: 'one-choice-reserved-for-n',
    file: 'src/inference/text/worst-case.ts',
    text: 'output.tokens * measure.choices',
    replacement: 'output.tokens',
    tests: ['src/inference/text/worst-case.spec.ts', 'test/e2e/chat-money/reservations.e2e-spec.ts'],
  },
  {
    name: 'one-picture-reserved-for-n',
    file: 'src/inference/capabilities/image.ts',
    text: 'priceOf(endpoint.pricing, imageQuantities(request, request.n, tokens))',
    replacement: 'priceOf(endpoint.pricing, imageQuantities(request, 1, tokens))',
    tests: ['test/e2e/images/images.e2e-spec.ts', 'test/e2e/inference/inference-rules.e2e-spec.ts'],
  },
  {
    name: 'usage-far-above-the-worst-case-billed-as-reported',
    file: 'src/inference/text/text-usage-judgement.ts',
    text: 'if (price.price > cap) return excess();',
    replacement: '',
    tests: ['src/inference/text/text-usage-judgement.spec.ts', 'test/e2e/vendors/vendor-usage.e2e-spec.ts'],
  },
  {
    name: 'spend-on-own-credentials-left-out-of-the-limit',
    file: 'src/billing/ledger/sql/limits.sql.ts',
    text: 'then ${balance}.byok_usage${suffix} + ${balance}.byok_delegated${suffix} else 0 end',
    replacement: 'then 0 else 0 end',
    tests: ['test/e2e/byok/byok-inference.e2e-spec.ts', 'src/billing/ledger/limit-windows.spec.ts'],
  },
  {
    name: 'limit-window-begins-a-day-late',
    file: 'src/billing/ledger/sql/limits.sql.ts',
    text: '> b.${period}_start then 0',
    replacement: '> b.${period}_start + 1 then 0',
    tests: ['test/e2e/keys/limit-windows.e2e-spec.ts', 'src/billing/ledger/limit-windows.spec.ts'],
  },
  {
    name: 'reservation-settled-twice',
    file: 'src/billing/ledger/sql/finish-one.sql.ts',
    text: "where v.account_no = i.a and v.id = i.r and v.state = 'reserved' and v.key_no",
    replacement: 'where v.account_no = i.a and v.id = i.r and v.key_no',
    tests: ['src/billing/ledger/ledger-single-calls.spec.ts', 'test/contracts/ledger.spec.ts'],
  },
  {
    name: 'open-reservations-not-counted',
    file: 'src/billing/ledger/sql/reserve.sql.ts',
    text: 't.taken > b.granted - b.spent - b.reserved)',
    replacement: 't.taken > b.granted - b.spent)',
    tests: ['src/billing/ledger/reserve-batches.spec.ts', 'test/contracts/ledger.spec.ts'],
  },
  {
    name: 'journal-entry-of-a-lease-that-is-being-swept',
    file: 'src/billing/ledger/sql/journal.sql.ts',
    text: 'for key share;',
    replacement: ';',
    tests: ['src/billing/ledger/commits/journal.spec.ts'],
  },
  {
    name: 'delayed-journal-entry-after-a-repeated-settlement',
    file: 'src/billing/ledger/sql/credit-leases.sql.ts',
    text: "and (held.id is null or held.lends_until > '-infinity')",
    replacement: '',
    tests: ['src/billing/ledger/commits/journal.spec.ts'],
  },
  {
    name: 'lease-swept-before-its-calls-are-posted',
    file: 'src/billing/ledger/sql/sweep.sql.ts',
    text: 'perform ledger_end_journal(account_nos, ids);',
    replacement: '',
    tests: ['src/billing/ledger/commits/journal.spec.ts'],
  },
  {
    name: 'balances-read-without-calls-of-the-journal',
    file: 'src/operations/posted-calls.guard.ts',
    text: 'if (!principal ||',
    replacement: 'if (principal ||',
    tests: ['test/e2e/chat-money/credit-leases.e2e-spec.ts'],
  },
  {
    name: 'reservation-refused-for-amounts-of-the-journal',
    file: 'src/billing/ledger/sql/limits.sql.ts',
    text: 'or exists (select from ledger_journal j',
    replacement: 'and exists (select from ledger_journal j',
    tests: ['src/billing/ledger/commits/unposted-calls.spec.ts'],
  },
  {
    name: 'call-of-an-intern-not-reserved-on-its-parent-key',
    file: 'src/billing/bill.ts',
    text: 'parentAmount: !parentKey || (own && !parentKey.countsByok) ? 0n : worstCase',
    replacement: 'parentAmount: 0n',
    tests: ['src/billing/spending.spec.ts', 'test/e2e/interns/intern-keys.e2e-spec.ts'],
  },
  {
    name: 'refund-takes-credits',
    file: 'src/billing/balances.ts',
    text: 'set granted = granted + $2 where',
    replacement: 'set granted = granted - $2 where',
    tests: ['test/e2e/operator/operator-report.e2e-spec.ts', 'test/e2e/accounts/ledger-audit-members.e2e-spec.ts'],
  },
  {
    name: 'grant-repeated-with-its-idempotency-id',
    file: 'src/billing/balances.ts',
    text: 'if (earlier) {',
    replacement: 'if (earlier && earlier.amount !== grant.amount) {',
    tests: ['test/e2e/operator/operator-report.e2e-spec.ts', 'test/e2e/operator/operator-audit.e2e-spec.ts'],
  },
];
