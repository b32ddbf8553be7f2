import { setTimeout as sleep } from 'node:timers/promises';
import { accountTotals, settledSpend } from '../../support/money/account-totals.js';
import type { ScriptedVendor } from '../../support/vendors/scripted-vendor.js';
import { TEST_API_KEY, type TestService } from '../../support/services/test-service.js';
import { expectBilledAsUsed } from '../../support/money/billed-as-used.js';
import { startVendorStage } from '../../support/vendors/vendor-stage.js';

const IMAGE = { model: 'openai/gpt-image-1', prompt: 'A lighthouse', quality: 'low', size: '1024x1024' };

describe('a call of a vendor with the OpenAI protocol', () => {
  let vendor: ScriptedVendor;
  let service: TestService;
  beforeAll(async () => {
    ({ vendor, service } = await startVendorStage());
  });
  afterAll(() => service.stop());

  const settled = (): Promise<bigint> => settledSpend(service.sql);

  it('is aborted and not billed if the caller leaves before the first byte', async () => {
    const before = await settled();
    vendor.script({ kind: 'silence' });
    const left = new AbortController();
    const calls = vendor.seen.length;
    const gone = fetch(`${service.origin}/api/v1/images`, {
      method: 'POST',
      signal: left.signal,
      headers: { authorization: `Bearer ${TEST_API_KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify(IMAGE),
    }).catch(() => 'gone');
    while (vendor.seen.length === calls) await sleep(5);
    left.abort();
    expect(await gone).toBe('gone');
    while (vendor.seen.at(-1)!.abortedAt === undefined) await sleep(5);
    expect(await settled()).toBe(before);
  });

  const leaving = (path: string, request: object): { gone: AbortController; answer: Promise<Response> } => {
    const gone = new AbortController();
    return {
      gone,
      answer: fetch(`${service.origin}/api/v1${path}`, {
        method: 'POST',
        signal: gone.signal,
        headers: { authorization: `Bearer ${TEST_API_KEY}`, 'content-type': 'application/json' },
        body: JSON.stringify(request),
      }),
    };
  };

  it('is aborted, and previews are not billed, if the caller leaves during a stream of images', async () => {
    const before = await settled();
    vendor.script({ kind: 'stall', share: 0.6 });
    const { gone, answer } = leaving('/images', { ...IMAGE, stream: true });
    await (await answer).body!.getReader().read();
    gone.abort();
    while (vendor.seen.at(-1)!.abortedAt === undefined) await sleep(5);
    while ((await accountTotals(service.sql)).reserved !== 0n) await sleep(5);
    expect(await settled()).toBe(before);
  });

  it('is billed if the caller leaves after the complete response of the vendor has arrived', async () => {
    const before = await settled();
    const { gone, answer } = leaving('/images', IMAGE);
    await answer;
    gone.abort();
    while ((await accountTotals(service.sql)).reserved !== 0n) await sleep(5);
    expect((await settled()) - before).toBe(11_330_000n);
  });

  it('is billed exactly for the usage that the vendor reports, if it reports any', () =>
    expectBilledAsUsed(service, vendor));
});
