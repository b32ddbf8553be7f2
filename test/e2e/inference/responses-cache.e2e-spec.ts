import { booksOf, cached, cacheStatus, recordOf } from '../../support/calls/cached-calls.js';
import { expectBalanced } from '../../support/money/count-the-money.js';
import { startTextStage, type TextStage } from '../../support/calls/text-stage.js';

let stage: TextStage;
beforeAll(async () => {
  stage = await startTextStage();
});
afterAll(() => stage.stop());

/** The vendor has another format, so its response is converted. */
const ask = (json: object) =>
  stage.service.standard.post('/responses', {
    json: { model: 'rules/deepinfra', input: 'Hello', ...json },
    headers: cached(),
  });
// oxlint-disable-next-line typescript/no-explicit-any
const eventsOf = (text: string): any[] =>
  [...text.matchAll(/^data: (\{.*\})$/gm)].map(([, data]) => JSON.parse(data!) as unknown);

describe('the response cache of /responses', () => {
  it('serves a complete response again, at no cost', async () => {
    const first = await ask({ instructions: 'complete' });
    const second = await ask({ instructions: 'complete' });
    expect([first.status, ...[first, second].map(cacheStatus)]).toEqual([200, 'MISS', 'HIT']);
    expect(second.json.output[0].content).toEqual(first.json.output[0].content);
    expect(second.json.id).not.toBe(first.json.id);
    expect([first.json.usage.cost > 0, second.json.usage.cost, second.json.usage.total_tokens]).toEqual([true, 0, 0]);
    expect(await recordOf(stage, second)).toMatchObject({
      total_cost: 0,
      response_cache_source_id: first.headers.get('x-generation-id'),
    });
    expectBalanced(await booksOf(stage));
  });

  it('serves a stream again, with consecutive sequence numbers', async () => {
    const first = await ask({ instructions: 'stream', stream: true });
    const second = await ask({ instructions: 'stream', stream: true });
    expect([first, second].map(cacheStatus)).toEqual(['MISS', 'HIT']);
    const [own, replayed] = [eventsOf(first.text), eventsOf(second.text)];
    expect(replayed.map(({ type }) => type)).toEqual(own.map(({ type }) => type));
    expect(replayed.map((event) => event.sequence_number)).toEqual(replayed.map((_, index) => index));
    expect(replayed.at(-1)).toMatchObject({ type: 'response.completed', response: { usage: { cost: 0 } } });
    expect(own.at(-1).response.usage.cost).toBeGreaterThan(0);
    expect(new Set(replayed.filter((event) => event.response).map((event) => event.response.id)).size).toBe(1);
    expect(replayed.at(-1).response.id).not.toBe(own.at(-1).response.id);
    expectBalanced(await booksOf(stage));
  });
});
