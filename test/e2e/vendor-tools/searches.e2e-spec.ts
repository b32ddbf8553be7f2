import { settledSpend } from '../../support/money/account-totals.js';
import { eventsIn, messageItem, responsesScript, RESPONSES_USAGE } from '../../support/vendors/responses-vendor.js';
import { aTextEndpoint, startTextStage, type TextStage } from '../../support/calls/text-stage.js';
import { TEXT_VENDORS } from '../../support/vendors/text-vendor-formats.js';

const CLAUDE = TEXT_VENDORS.anthropic;
/** A search costs more than all tokens of the model's context. */
const PRICES = { prompt: '0.000001', completion: '0.000002', webSearch: '0.01' };
const SEARCH = { type: 'web_search_20250305', name: 'web_search' };
const CALL = { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search', query: 'x' } };

let stage: TextStage;
beforeAll(async () => {
  stage = await startTextStage({ env: { BOOTSTRAP_CREDITS_USD: '1', USAGE_EXCESS_FACTOR: '100' } });
  for (const vendor of ['openai', 'anthropic'] as const) {
    stage.teach(`search/${vendor}`, [aTextEndpoint(vendor, { tokenPrices: PRICES })]);
    stage.teach(`free/${vendor}`, [aTextEndpoint(vendor)]);
  }
});
afterAll(() => stage.stop());
beforeEach(() => {
  stage.anthropic.clear();
  stage.vendors.openai.clear();
});

async function costOf<T>(call: () => Promise<T>): Promise<readonly [bigint, T]> {
  const before = await settledSpend(stage.service.sql);
  const result = await call();
  return [(await settledSpend(stage.service.sql)) - before, result];
}
const counted = (searches: number) => ({ ...CLAUDE.usage, server_tool_use: { web_search_requests: searches } });
const reserved = async (): Promise<bigint> => {
  const [row] = await stage.service.sql.query<{ reserved: string }>(
    'select sum(reserved) as reserved from account_balance',
  );
  return BigInt(row!.reserved);
};
/** The reserved amount while the vendor has the call. The vendor then refuses the call. */
async function heldBy(call: () => Promise<unknown>): Promise<bigint> {
  let held: Promise<bigint> | undefined;
  stage.anthropic.reply((response) => {
    held = reserved();
    held.finally(() => response.writeHead(500).end()).catch(() => undefined);
  });
  await call();
  return held!;
}
const search = (max: number | undefined, stream = false) =>
  stage.messages({ model: 'search/anthropic', stream, tools: [{ ...SEARCH, ...(max ? { max_uses: max } : {}) }] });

describe('a web search by /messages', () => {
  it.each([false, true])('is billed by the reported searches (streamed: %s)', async (stream) => {
    const cost = async (searches: number): Promise<bigint> => {
      stage.claude({ usage: counted(searches) }, stream);
      const [price, { status }] = await costOf(() => search(5, stream));
      expect(status).toBe(200);
      return price;
    };
    expect((await cost(3)) - (await cost(0))).toBe(30_000_000n);
  });

  it.each([
    [5, 5],
    [undefined, 10],
  ])('with max_uses %s reserves the price of %d searches, and sends this number as max_uses', async (max, searches) => {
    const held = await heldBy(() => search(max));
    expect(held).toBeGreaterThanOrEqual(BigInt(searches) * 10_000_000n);
    expect(held).toBeLessThan(BigInt(searches + 2) * 10_000_000n);
    expect(stage.anthropic.seen.at(-1)!.json.tools).toEqual([{ ...SEARCH, max_uses: searches }]);
  });

  it('reserves the sum of tools with a bound and without one', async () => {
    const later = { type: 'web_search_20260209', name: 'web_search' };
    const tools = [{ ...SEARCH, max_uses: 20 }, later];
    const held = await heldBy(() => stage.messages({ model: 'search/anthropic', tools }));
    expect(stage.anthropic.seen.at(-1)!.json.tools).toEqual([tools[0], { ...later, max_uses: 10 }]);
    expect(held).toBeGreaterThanOrEqual(300_000_000n);
    expect(held).toBeLessThan(320_000_000n);
  });

  it('is 402 if the allowed searches cost more than the credits', async () => {
    const calls = stage.anthropic.seen.length;
    expect((await search(1_000)).status).toBe(402);
    expect(stage.anthropic.seen).toHaveLength(calls);
  });

  it('is 400 if no endpoint has a price for searches', async () => {
    const { status, json } = await stage.messages({ model: 'free/anthropic', tools: [SEARCH] });
    expect([status, json.error.type]).toEqual([400, 'invalid_request_error']);
    expect(json.error.message).toContain('web_search_20250305');
  });

  it('that the vendor reports without a price for searches is an anomaly', async () => {
    stage.claude({ usage: counted(500) });
    expect((await stage.messages({ model: 'free/anthropic' })).status).toBe(200);
    const [row] = await stage.service.sql.query<{ kind: string; details: object }>(
      'select kind, details from billing_anomaly order by id desc limit 1',
    );
    expect(row).toMatchObject({ kind: 'usage_unpriced', details: { unpriced: { web_search: 500 } } });
  });
});

describe('a web search by /responses', () => {
  const post = (body: object) =>
    stage.service.standard.post('/responses', { json: { model: 'search/openai', input: 'x', ...body } });
  const tools = [{ type: 'web_search' }];
  const items = [CALL, { ...CALL, id: 'ws_2' }, { ...CALL, id: 'ws_3', action: { type: 'open_page' } }];

  it.each([false, true])('is billed by the search items of the response (streamed: %s)', async (stream) => {
    const cost = async (output: readonly object[]): Promise<bigint> => {
      stage.vendors.openai.script(responsesScript([...output, messageItem('x')] as never, stream));
      const [price, answer] = await costOf(() => post({ tools, stream }));
      expect((stream ? eventsIn(answer.text).at(-1).response : answer.json).usage).toMatchObject({
        input_tokens: RESPONSES_USAGE.input_tokens,
      });
      return price;
    };
    expect((await cost(items)) - (await cost([]))).toBe(20_000_000n);
  });

  it.each([
    [{}, 10],
    [{ max_tool_calls: 3 }, 3],
  ])('with %j is sent with the reserved number of searches as max_tool_calls', async (body, bound) => {
    stage.vendors.openai.script(responsesScript([messageItem('x')], false));
    expect((await post({ tools, ...body })).status).toBe(200);
    expect(stage.vendors.openai.seen.at(-1)!.json).toMatchObject({ max_tool_calls: bound, tools });
  });

  it('is sent only to an endpoint that has a price for searches', async () => {
    stage.teach('search/both', [aTextEndpoint('deepinfra'), aTextEndpoint('openai', { tokenPrices: PRICES })]);
    for (let call = 0; call < 4; call++) {
      stage.vendors.openai.script(responsesScript([messageItem('x')], false));
      const answer = await post({ model: 'search/both', tools });
      expect([answer.status, answer.headers.get('x-gatehouse-adjusted')]).toEqual([200, null]);
      expect(stage.vendors.openai.seen.at(-1)!.json.tools).toEqual(tools);
    }
  });
});
