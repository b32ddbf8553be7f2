import type { ApiAnswer } from '../../support/api/api-client.js';
import { startTextStage, type TextStage } from '../../support/calls/text-stage.js';

describe('the tags of a call', () => {
  let stage: TextStage;
  beforeAll(async () => {
    stage = await startTextStage();
  });
  afterAll(() => stage.stop());
  const sent = (): Record<string, unknown> => stage.vendors.openai.seen.at(-1)!.json as Record<string, unknown>;
  const eight = Array.from({ length: 8 }, (_, index) => `t${index}`);
  const ofBody = (tags: unknown, more = {}): Promise<ApiAnswer> => stage.chat({ metadata: { tags, ...more } });
  const ofHeader = (tags: string): Promise<ApiAnswer> => stage.chat({}, { headers: { 'x-gatehouse-tags': tags } });

  it('are at most eight texts of at most 64 characters; other tags are refused with 400', async () => {
    expect((await ofBody([...eight.slice(1), 'é'.repeat(64)])).status).toBe(200);
    expect((await ofBody([...eight, 't8'])).status).toBe(400);
    expect((await ofBody(['x'.repeat(65)])).status).toBe(400);
    expect((await ofHeader([...eight.slice(1), 'x'.repeat(64)].join(', '))).status).toBe(200);
    expect((await ofHeader([...eight, 't8'].join())).status).toBe(400);
    expect((await ofHeader('x'.repeat(65))).status).toBe(400);
    for (const wrong of [[''], [1], [null], [['a']], ['a\u0000']]) expect((await ofBody(wrong)).status).toBe(400);
  });

  it('are not forwarded to the vendor, but the other members of metadata are', async () => {
    await ofBody(['a'], { kept: 'yes' });
    expect(sent()['metadata']).toEqual({ kept: 'yes' });
    await ofBody(['a']);
    expect(sent()).not.toHaveProperty('metadata');
    await ofBody('a text of the caller');
    expect(sent()['metadata']).toEqual({ tags: 'a text of the caller' });
    const response = await stage.service.standard.post('/responses', {
      json: { model: 'rules/openai', input: 'Hello', metadata: { tags: ['a'], kept: 'yes' } },
    });
    expect([response.status, response.json.metadata]).toEqual([200, { kept: 'yes' }]);
    expect(JSON.stringify(sent())).not.toContain('tags');
    stage.claude();
    expect((await stage.messages({ metadata: { tags: ['a'], user_id: 'anna' } })).status).toBe(200);
    expect((await stage.messages({ metadata: { tags: [...eight, 't8'] } })).status).toBe(400);
  });
});
