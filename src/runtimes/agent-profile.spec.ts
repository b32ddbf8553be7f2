import { openAgentStage, type AgentStage } from '../../test/support/interns/agent-stage.js';
import type { AgentProfile } from './turn.js';

const CHANGED: AgentProfile = {
  name: 'day-watch',
  description: 'Guards the harbour.',
  instructions: 'Watch the day.',
  model: 'scripted/other',
  secrets: [{ name: 'new_token', hosts: ['harbour.test'], placeholder: '__vault__new_token__' }],
};

describe('the profile of an intern', () => {
  let stage: AgentStage;
  beforeAll(async () => {
    stage = await openAgentStage();
    await stage.boot({ model: 'scripted/model' });
  });
  afterAll(() => stage.close());
  beforeEach(() => void stage.model.calls.splice(0));

  it('is the profile of the boot in a turn without a profile', async () => {
    await stage.turn('Hello');
    const { json } = stage.model.calls[0]!;
    expect(json).toMatchObject({ model: 'scripted/model', messages: [{ role: 'system' }, {}] });
    for (const part of ['night-watch', 'Watch the night.', '__vault__api_token__'])
      expect(json.messages[0].content).toContain(part);
  });

  it('changes with a turn that names another profile, in the same session and without a boot', async () => {
    await stage.turn('Hello', { sessionId: 'one' });
    await stage.turn('Again', { sessionId: 'one', profile: CHANGED });
    const { json } = stage.model.calls[1]!;
    expect(json.model).toBe('scripted/other');
    expect(json.messages.map(({ role }: { role: string }) => role)).toEqual(['system', 'user', 'assistant', 'user']);
    const [{ content }] = json.messages;
    for (const part of ['day-watch', 'Guards the harbour.', 'Watch the day.', '__vault__new_token__'])
      expect(content).toContain(part);
    expect(content).not.toMatch(/night-watch|Watch the night|api_token/);
  });

  it('names the built-in model if no model is set', async () => {
    await stage.turn('Hello', { profile: { ...CHANGED, model: null } });
    expect(stage.model.calls[0]!.json.model).toBe('builtin/eliza');
  });

  it('opens the hosts of its secrets, and no longer the hosts of deleted secrets', async () => {
    const request = (host: string) => ({ name: 'http_request', arguments: { url: `https://${host}/page` } });
    stage.model.script({ calls: [request('harbour.test'), request('api.example.com')] });
    await stage.turn('Go', { sessionId: 'hosts', profile: CHANGED });
    const results = stage.model.calls.at(-1)!.json.messages.slice(-2);
    expect(results.map(({ content }: { content: string }) => content)).toEqual([
      expect.stringMatching(/^HTTP 200/),
      expect.stringMatching(/^Error: The host api.example.com is not allowed/),
    ]);
  });
});
