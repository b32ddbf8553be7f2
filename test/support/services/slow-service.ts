import { expectBalanced, readBooks } from '../money/count-the-money.js';
import type { EndlessVendor } from '../vendors/endless-vendor.js';
import { eventually } from '../eventually.js';
import { anImageEndpoint, aSpeechEndpoint, teach } from '../catalogue/test-catalogue.js';
import { startTestService, type TestService, type TestServiceOptions } from './test-service.js';

const IDLE_MS = 1_200;
const WINDOW_MS = 3_000;

/**
 * A caller that reads 100 KB per second is far too slow. A caller that reads 64 KB every 5 ms is fast enough, even if
 * the machine is busy for a second.
 */
export const LIMITS = {
  READER_IDLE_TIMEOUT_MS: String(IDLE_MS),
  READER_RATE_WINDOW_MS: String(WINDOW_MS),
  READER_MIN_BYTES_PER_SECOND: '400000',
};

/** A time after which each of the limits has cut off a caller that transfers nothing. */
export const BEYOND_LIMITS_MS = 3_500;

/** A service with short limits for slow callers, and with models of the vendor. */
export async function startSlowService(vendor: EndlessVendor, options: TestServiceOptions = {}): Promise<TestService> {
  const service = await startTestService({
    ...options,
    env: {
      OPENAI_API_KEY: 'scripted-credential',
      OPENAI_BASE_URL: vendor.baseUrl,
      INTERN_RUNTIME: 'none',
      ...LIMITS,
      ...options.env,
    },
  });
  teach(service, { 'slow/speech': [aSpeechEndpoint('openai')], 'slow/pictures': [anImageEndpoint('openai')] });
  return service;
}

/** Checks that no vendor connection and no reservation is open, the books balance, and the calls were billed. */
export async function expectSettled(
  vendor: EndlessVendor,
  service: TestService,
  before: bigint,
  calls: { readonly billed: number },
): Promise<void> {
  await eventually(async () => {
    const books = await readBooks(service.sql);
    expectBalanced(books);
    expect([vendor.open, books.openReservations, books.accountReserved]).toEqual([0, 0n, 0n]);
    const [row] = await service.sql.query<{ billed: bigint }>(
      'select count(*) as billed from generation where cost > 0',
    );
    expect(row!.billed - before).toBe(BigInt(calls.billed));
  }, 20_000);
}

/** Captures the output to a stream until it is stopped. */
export function capturedOutput(stream: NodeJS.WriteStream): { stop(): string } {
  const write = stream.write.bind(stream);
  let said = '';
  stream.write = (text: string | Uint8Array, ...rest: never[]) => {
    said += String(text);
    return write(text, ...rest);
  };
  return {
    stop: () => {
      stream.write = write;
      return said;
    },
  };
}
