import { startConversingInterns, type ConversingInterns } from '../../support/interns/conversing-interns.js';
import { chatAs, user, type Chat } from '../../support/interns/intern-chat.js';
import { TEST_API_KEY } from '../../support/services/test-service.js';

const SESSION = { session_id: 'kept' };

describe('an intern that is changed while it runs', () => {
  let interns: ConversingInterns;
  let chat: Chat;
  let id: string;
  beforeAll(async () => {
    interns = await startConversingInterns([]);
    id = await interns.create('before');
    chat = chatAs(interns.stage, `Bearer ${TEST_API_KEY}`);
  }, 90_000);
  afterAll(() => interns.close(), 60_000);

  const patch = async (json: object): Promise<void> =>
    expect((await interns.stage.standard.patch(`/interns/${id}`, { json })).status).toBe(200);
  const say = async (text: string): Promise<string[]> => {
    const reading = await chat(id, user(text, SESSION));
    await reading.whole;
    return [...new Set(reading.chunks.map(({ model }) => model as string))];
  };
  const models = async (): Promise<string[]> => {
    const rows = await interns.stage.sql.query<{ model: string }>(
      `select m.value as model
       from generation g join generation_detail d on d.id = g.id join usage_label m on m.id = g.model
       where d.session_id = 'kept' order by g.created_at`,
    );
    return rows.map(({ model }) => model);
  };
  const boots = async (): Promise<number> => (JSON.parse(await interns.diskOf(id).then(firstState)) as Boots).boots;

  it('uses its new model, name, description and instructions in the next turn, without a restart', async () => {
    expect(await say('One')).toEqual(['rules/openai']);
    const before = await boots();
    await patch({ model: 'builtin/eliza' });
    expect(await say('Two')).toEqual(['builtin/eliza']);
    await patch({ model: 'rules/openai', name: 'after', description: 'Knows tides.', instructions: 'Be brief.' });
    await say('Three');
    expect(await models()).toEqual(['rules/openai', 'builtin/eliza', 'rules/openai']);
    const [system] = interns.vendor.seen.at(-1)!.json.messages;
    for (const part of ['You are after', 'Knows tides.', 'Be brief.']) expect(system.content).toContain(part);
    expect(await boots()).toBe(before);
  }, 60_000);

  it('uses the default model in the next turn if its own model is cleared', async () => {
    await patch({ model: null });
    await say('Four');
    expect((await models()).at(-1)).toBe('builtin/eliza');
  }, 60_000);

  it('knows the name and the hosts of a new secret in the next turn', async () => {
    await patch({ model: 'rules/openai' });
    await interns.stage.standard.put(`/vault/interns/${id}/secrets/late_token`, {
      json: { value: 'x'.repeat(20), hosts: ['late.test'] },
    });
    await say('Five');
    const [system] = interns.vendor.seen.at(-1)!.json.messages;
    expect(system.content).toMatch(/late_token[^]*late\.test/);
  }, 60_000);
});

interface Boots {
  readonly boots: number;
}

/** The state file of the agent, in which it counts its boots. */
const firstState = (disk: string): string => /^\{.*"boots":.*\}$/m.exec(disk)![0];
