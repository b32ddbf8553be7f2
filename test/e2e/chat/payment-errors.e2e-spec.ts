import { aTextEndpoint, startTextStage, type TextStage } from '../../support/calls/text-stage.js';

/** One dollar per output token, and input is free: the remaining dollars equal the affordable tokens. */
const DOLLAR_A_TOKEN = { prompt: '0', completion: '1' };

let stage: TextStage;
beforeAll(async () => {
  stage = await startTextStage({ env: { BOOTSTRAP_CREDITS_USD: '7.5' } });
  stage.teach('rules/dear', [
    aTextEndpoint('openai', {
      tokenPrices: DOLLAR_A_TOKEN,
      maxCompletionTokens: 50,
      textLimits: { contextLength: 800 },
    }),
  ]);
  stage.teach('rules/dear-prompt', [aTextEndpoint('openai', { tokenPrices: { prompt: '1', completion: '1' } })]);
});
afterAll(() => stage.stop());

const keyWith = async (limit: number | null): Promise<string> =>
  (await stage.service.management.post('/keys', { json: { name: 'k', limit } })).json.key as string;

describe('a 402 of a chat', () => {
  it.each([
    [{ max_completion_tokens: 20 }, 20, 7],
    [{ max_tokens: 8 }, 8, 7],
    [{ max_completion_tokens: 4, n: 2 }, 4, 3],
    [{}, 50, 7],
  ])('because of the credits names the tokens, and no amount: %j', async (body, requested, affordable) => {
    for (const stream of [false, true]) {
      const { status, json } = await stage.chat({ model: 'rules/dear', ...body, stream });
      expect([status, json.error.metadata]).toEqual([
        402,
        {
          error_type: 'payment_required',
          limit_source: 'credits',
          requested_tokens: requested,
          affordable_tokens: affordable,
        },
      ]);
      expect(json.error.message).toContain(`up to ${requested} output tokens`);
      expect(json.error.message).toContain(`can only afford ${affordable}`);
      expect(json.error.message).not.toContain('$');
    }
  });

  it("because of the key's own limit names the amounts", async () => {
    const key = await keyWith(0.25);
    const { status, json } = await stage.chat({ model: 'rules/dear', max_tokens: 3 }, { key });
    expect([status, json.error.metadata]).toEqual([
      402,
      { error_type: 'payment_required', limit_source: 'key_limit', requested_tokens: 3, affordable_tokens: 0 },
    ]);
    expect(json.error.message).toMatch(/can cost up to \$3\b.*\$0\.25 is left/);
  });

  it('for the prompt alone states that no output is affordable', async () => {
    const { json } = await stage.chat({ model: 'rules/dear-prompt', max_tokens: 1 });
    expect(json.error.metadata).toMatchObject({ requested_tokens: 1, affordable_tokens: 0 });
    expect(json.error.message).toContain('shorter prompt');
  });

  it('is returned before any vendor call, and reserves nothing', async () => {
    const calls = stage.vendors.openai.seen.length;
    await stage.chat({ model: 'rules/dear', max_tokens: 30 });
    expect(stage.vendors.openai.seen.length).toBe(calls);
    const [row] = await stage.service.sql.query<{ reserved: bigint }>('select reserved from account_balance');
    expect(row!.reserved).toBe(0n);
  });

  it('is not returned if the bound equals the affordable tokens', async () => {
    expect((await stage.chat({ model: 'rules/dear', max_tokens: 8 })).status).toBe(402);
    expect((await stage.chat({ model: 'rules/dear', max_tokens: 7 })).json.error?.code ?? 200).toBe(200);
  });
});
