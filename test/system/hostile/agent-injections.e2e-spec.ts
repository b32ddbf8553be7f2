import { forbiddenWays, openInjectedAgent, type InjectedAgent } from '../../support/interns/injected-agent.js';
import { NEIGHBOUR_CANARY } from '../../support/database/injected-disk.js';
import { INJECTIONS } from '../../support/interns/injection-corpus/corpus.js';

const asRoot = process.getuid?.() === 0;
const USERS = [
  ['that shares its user with other interns', true],
  ...(asRoot ? ([['with a user of its own', false]] as const) : []),
] as const;

describe.each(USERS)('an agent %s, with a model that obeys every page and file that it reads', (_, sharesUser) => {
  let agent: InjectedAgent;
  let before: string;
  beforeAll(async () => {
    agent = await openInjectedAgent(sharesUser);
    before = await agent.neighbourDisk();
  });
  afterAll(() => agent.close());

  it('is exposed to sixty injections', () => {
    expect(INJECTIONS).toHaveLength(60);
  });

  it.each(INJECTIONS.map((injection) => [injection.name, injection] as const))(
    'is confined: %s',
    async (_, injection) => {
      const results = await agent.expose(injection);
      // The first result comes from the call that reads the page or the file.
      expect(results.length).toBeGreaterThan(injection.calls.length);
      expect(forbiddenWays(agent.stage.model.ways)).toEqual([]);
      for (const text of [NEIGHBOUR_CANARY, 'root:x:0', 'sk-of-this-boot'])
        expect(results.join('\n')).not.toContain(text);
      expect(await agent.neighbourDisk()).toBe(before);
    },
  );
});
