import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  BOUND_HOST,
  conversationContract,
  followRules,
  offlineContract,
} from '../../contracts/intern-conversation.contract.js';
import { startConversingInterns, type ConversingInterns } from '../../support/interns/conversing-interns.js';
import { openaiTalker, sdkTalker } from '../../support/interns/intern-talkers.js';

describe('conversations of unmodified clients with an intern', () => {
  let interns: ConversingInterns;
  beforeAll(async () => {
    interns = await startConversingInterns([BOUND_HOST]);
  }, 60_000);
  beforeEach(() => void (interns.think = followRules));
  afterAll(() => interns.close(), 60_000);

  describe.each([
    ['@openrouter/sdk', sdkTalker],
    ['openai', openaiTalker],
  ] as const)('%s', (_, talkerOf) => conversationContract(() => interns, talkerOf));

  it('pause with a question if the approval mode is manual in the settings and absent in the request', async () => {
    const id = await interns.create('careful');
    await interns.stage.standard.put(`/interns/${id}/settings`, { json: { approval_mode: 'manual' } });
    const body = { stream: true, session_id: 's', messages: [{ role: 'user', content: 'Write note' }] };
    const asked = await interns.stage.standard.post(`/interns/${id}/chat/completions`, { json: body });
    expect(asked.text).toContain('"finish_reason":"tool_calls"');
    expect(existsSync(join(interns.homeOf(id), 'note'))).toBe(false);
  }, 60_000);

  offlineContract(() => interns);
});
