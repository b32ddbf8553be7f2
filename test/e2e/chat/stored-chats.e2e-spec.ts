import type { ApiAnswer } from '../../support/api/api-client.js';
import { startTextStage, type TextStage } from '../../support/calls/text-stage.js';

let stage: TextStage;
beforeAll(async () => (stage = await startTextStage()));
afterAll(() => stage.stop());

const adjustedIn = ({ headers }: ApiAnswer): string | null => headers.get('x-gatehouse-adjusted');
// oxlint-disable-next-line typescript/no-explicit-any
const sent = (): any => stage.vendors.openai.seen.at(-1)!.json;

describe('store: true of a chat', () => {
  const chat = '{"model":"rules/openai","messages":[{"role":"user","content":"Hi"}]';

  it.each([
    ['store', `${chat},"store":true}`],
    ['another spelling of the name', `${chat},"Store":true}`],
    ['the second of two members', `${chat},"store":false,"store":true}`],
  ])("is not sent with the platform's credential: %s", async (_, body) => {
    const answer = await stage.chat(body);
    expect([answer.status, adjustedIn(answer)]).toEqual([200, 'store=false']);
    expect(stage.vendors.openai.seen.at(-1)!.raw.toString().toLowerCase()).not.toContain('store');
  });

  it.each([false, null])('is removed, but store: %s is sent unchanged', async (store) => {
    const answer = await stage.chat({ store });
    expect([answer.status, adjustedIn(answer), sent().store]).toEqual([200, null, store]);
  });

  it('is reported with other adjustments, and in streams', async () => {
    const answer = await stage.chat({ store: true, max_tokens: 9_000, stream: true });
    expect([adjustedIn(answer), 'store' in sent()]).toEqual(['max_tokens=4000; store=false', false]);
  });

  it('is refused with 400 on /responses', async () => {
    expect(
      (await stage.service.standard.post('/responses', { json: { model: 'rules/openai', input: 'Hi', store: true } }))
        .status,
    ).toBe(400);
  });
});
