import { setTimeout as sleep } from 'node:timers/promises';
import { TokenCounter } from '../../../src/inference/text/token-counter.js';
import {
  callStream,
  CANCELLABLE,
  PROMPT,
  startChatMoneyStage,
  UNCANCELLABLE,
  type ChatMoneyStage,
} from '../../support/money/chat-money-stage.js';
import { expectBalanced, readBooks } from '../../support/money/count-the-money.js';
import { eventually } from '../../support/eventually.js';
import { streamEvents, type ChatScript } from '../../support/vendors/scripted-chat-vendor.js';
import { TEST_API_KEY } from '../../support/services/test-service.js';

// In nano-dollars: prompt token 3,000, completion token 15,000, cached token 300. The gateway counts 4 prompt tokens.
const USAGE = {
  prompt_tokens: 20,
  completion_tokens: 9,
  total_tokens: 29,
  prompt_tokens_details: { cached_tokens: 10 },
};
/** 10 × 3,000 + 10 × 300 + 9 × 15,000 */
const USAGE_NANO = 168_000n;

let stage: ChatMoneyStage;
beforeAll(async () => (stage = await startChatMoneyStage()));
afterAll(async () => {
  const books = await readBooks(stage.service.sql);
  expectBalanced(books);
  expect(books.openReservations).toBe(0n);
  await stage.stop();
});

const seenByVendor = async (calls: number): Promise<void> => {
  while (stage.vendor.seen.length === calls) await sleep(5);
};
const aborted = async (): Promise<void> => {
  while (!stage.vendor.seen.at(-1)!.aborted) await sleep(5);
};

describe('a caller who leaves before the first data', () => {
  it.each([CANCELLABLE, UNCANCELLABLE])('pays nothing, and the call to the vendor of %s is aborted', async (model) => {
    const [calls, before] = [stage.vendor.seen.length, await stage.spent()];
    stage.vendor.script({ events: streamEvents(5, USAGE), stallAfter: 0 });
    const left = new AbortController();
    const call = callStream(stage.service, { model }, { left }).catch(() => 'gone');
    await seenByVendor(calls);
    left.abort();
    expect(await call).toBe('gone');
    await aborted();
    expect(await stage.recorded()).toMatchObject({ cost: 0n, status: 499, cancelled: true, usage_estimated: false });
    expect(await stage.spent()).toBe(before);
  });

  it('pays nothing for a buffered response that is not complete', async () => {
    const [calls, before] = [stage.vendor.seen.length, await stage.spent()];
    stage.vendor.script({ body: {}, stallAfter: 0 });
    const left = new AbortController();
    const call = fetch(`${stage.service.origin}/api/v1/chat/completions`, {
      method: 'POST',
      signal: left.signal,
      headers: { authorization: `Bearer ${TEST_API_KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: UNCANCELLABLE, messages: [{ role: 'user', content: PROMPT }] }),
    }).catch(() => 'gone');
    await seenByVendor(calls);
    left.abort();
    expect(await call).toBe('gone');
    await aborted();
    expect(await stage.recorded()).toMatchObject({ cost: 0n, status: 499, cancelled: true });
    expect(await stage.spent()).toBe(before);
  });
});

describe('a caller who leaves in mid-stream', () => {
  interface Leaving {
    readonly script: ChatScript;
    readonly body?: object;
    readonly at?: ChatMoneyStage;
    readonly key?: string;
  }
  /** The caller disconnects after two texts. The vendor continues when the gateway has noticed the disconnect. */
  async function leaveAfterTwo({ script, body, at = stage, key }: Leaving): Promise<string | null> {
    const held = Promise.withResolvers<void>();
    at.vendor.script({ holdAfter: 3, released: held.promise, ...script });
    const caller = await callStream(at.service, body, { key });
    await caller.readTexts(2);
    caller.leave();
    await at.callerGone();
    held.resolve();
    return caller.generationId;
  }
  it('pays for the prompt and the counted output if the vendor can be cancelled', async () => {
    const id = await leaveAfterTwo({ script: { events: streamEvents(5, USAGE), stallAfter: 3 } });
    await aborted();
    expect(await stage.recorded(id)).toMatchObject({
      // 4 × 3,000 + 2 × 15,000
      cost: 42_000n,
      status: 200,
      tokens_prompt: 4n,
      tokens_completion: 2n,
      cancelled: true,
      usage_estimated: true,
    });
    expect(await stage.anomaliesOf(id)).toEqual([]);
  });

  it('pays for the tokens that the vendor has reported during the stream', async () => {
    const soFar = { prompt_tokens: 20, completion_tokens: 7, prompt_tokens_details: { cached_tokens: 10 } };
    const events = streamEvents(5, USAGE).map((event) =>
      typeof event === 'object' ? { ...event, usage: soFar } : event,
    );
    const id = await leaveAfterTwo({ script: { events, stallAfter: 3 } });
    expect(await stage.recorded(id)).toMatchObject({
      // 10 × 3,000 + 10 × 300 + 7 × 15,000
      cost: 138_000n,
      tokens_completion: 7n,
      cancelled: true,
      usage_estimated: false,
    });
  });

  it('pays for the reported prompt and the counted output if the vendor has reported less output', async () => {
    const soFar = { prompt_tokens: 20, completion_tokens: 1, prompt_tokens_details: { cached_tokens: 10 } };
    const events = streamEvents(5, USAGE).map((event) =>
      typeof event === 'object' ? { ...event, usage: soFar } : event,
    );
    const id = await leaveAfterTwo({ script: { events, stallAfter: 3 } });
    // 10 × 3,000 + 10 × 300 + 2 × 15,000
    expect(await stage.recorded(id)).toMatchObject({ cost: 63_000n, cancelled: true, usage_estimated: true });
  });

  it('pays for the usage of the whole stream if the vendor bills to the end', async () => {
    const id = await leaveAfterTwo({ script: { events: streamEvents(5, USAGE) }, body: { model: UNCANCELLABLE } });
    expect(await stage.recorded(id)).toMatchObject({
      cost: USAGE_NANO,
      tokens_prompt: 20n,
      tokens_completion: 9n,
      cancelled: true,
      usage_estimated: false,
    });
    expect(stage.vendor.seen.at(-1)!.aborted).toBe(false);
  });

  it('pays for the output until the break if a vendor that bills to the end breaks off', async () => {
    const events = streamEvents(5, USAGE);
    const id = await leaveAfterTwo({ script: { events, resetAfter: 5 }, body: { model: UNCANCELLABLE } });
    // 4 × 3,000 + 4 × 15,000
    expect(await stage.recorded(id)).toMatchObject({ cost: 72_000n, cancelled: true, usage_estimated: true });
  });

  it('pays for the usage that the vendor has reported, even if the stream has not ended', async () => {
    const events = streamEvents(2, USAGE);
    const id = await leaveAfterTwo({ script: { events, holdAfter: 5, stallAfter: 5 } });
    await aborted();
    expect(await stage.recorded(id)).toMatchObject({ cost: USAGE_NANO, cancelled: true, usage_estimated: false });
  });

  it('pays at most the reserved amount', async () => {
    const id = await leaveAfterTwo({ script: { events: streamEvents(5), stallAfter: 3 }, body: { max_tokens: 1 } });
    // 4 × 3,000 + 1 × 15,000
    expect(await stage.recorded(id)).toMatchObject({ cost: 27_000n, tokens_completion: 1n, usage_estimated: true });
  });

  /** Expects that the service uses the caller's own credential. */
  const isOwnUsed = async (): Promise<void> => {
    const json = { model: CANCELLABLE, messages: [{ role: 'user', content: PROMPT }] };
    expect((await stage.service.standard.post('/chat/completions', { json })).json.usage.is_byok).toBe(true);
  };

  it('spends no credits on an own credential, and the cost of the output is recorded as upstream cost', async () => {
    const json = { provider: 'openai', key: 'sk-own-credential-0123456789-AbCd' };
    const { json: own } = await stage.service.management.post('/byok', { json });
    try {
      await eventually(isOwnUsed);
      const before = await stage.spent();
      const id = await leaveAfterTwo({ script: { events: streamEvents(5, USAGE), stallAfter: 3 } });
      expect(await stage.recorded(id)).toMatchObject({
        cost: 0n,
        upstream_cost: 42_000n,
        is_byok: true,
        cancelled: true,
        usage_estimated: true,
      });
      expect(await stage.spent()).toBe(before);
    } finally {
      await stage.service.management.delete(`/byok/${own.data.id}`);
    }
  });

  it('pays for the usage of the whole stream of any vendor if DRAIN_CANCELLED is set', async () => {
    const draining = await startChatMoneyStage({ env: { DRAIN_CANCELLED: 'true' } });
    try {
      const id = await leaveAfterTwo({ script: { events: streamEvents(5, USAGE) }, at: draining });
      expect(await draining.recorded(id)).toMatchObject({ cost: USAGE_NANO, cancelled: true, usage_estimated: false });
    } finally {
      await draining.stop();
    }
  });

  it('is billed at once when the service stops, and no thread of the token counter is left', async () => {
    const stopping = await startChatMoneyStage({
      env: { DRAIN_CANCELLED: 'true' },
      databaseUrl: stage.service.databaseUrl,
    });
    const counter = stopping.service.app.get(TokenCounter, { strict: false });
    const id = await leaveAfterTwo({ script: { events: streamEvents(5, USAGE), stallAfter: 3 }, at: stopping });
    expect(counter.state().isRunning).toBe(false);
    await stopping.stop();
    expect(counter.state()).toEqual({ jobs: 0, isRunning: false });
    // 4 × 3,000 + 2 × 15,000
    expect(await stage.recorded(id)).toMatchObject({ cost: 42_000n, cancelled: true, usage_estimated: true });
  });
});
