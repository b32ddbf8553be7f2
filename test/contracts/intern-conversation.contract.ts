import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { placeholderOf } from '../../src/egress/placeholder.js';
import { canary, containsCanary } from '../support/secrets/canaries.js';
import type { ConversingInterns, ModelMessage, Thought } from '../support/interns/conversing-interns.js';
import { eventually } from '../support/eventually.js';
import { run } from '../support/interns/injection-corpus/injection.js';
import { sdkTalker, type Talker } from '../support/interns/intern-talkers.js';

const STEER_ARRIVES_WITHIN_MS = 300;

export const BOUND_HOST = 'api.bound.test';

/** The model's next step after the last message: the first rule that fits. */
type Rule = readonly [RegExp, (found: RegExpExecArray, messages: readonly ModelMessage[]) => Thought];
const RULES: Rule[] = [
  [
    /^How often/,
    (_, messages) => ({
      text: messages
        .filter(({ role }) => role === 'user')
        .map((m) => m.content)
        .join('|'),
    }),
  ],
  [/^Read the page/, () => ({ calls: [{ name: 'http_request', arguments: request() }] })],
  [/^Write (\w+)/, ([, name]) => ({ calls: [{ name: 'write_file', arguments: { path: name, content: 'x' } }] })],
  [/^Run (.+)/, ([, script]) => ({ calls: [run(script!)] })],
  [/^Ask me/, () => ({ calls: [{ name: 'ask', arguments: { message: 'Where?', fields: [CITY] } }] })],
  [/^.*/s, ([text]) => ({ text: `I see: ${text.slice(0, 40)}` })],
];
const CITY = { name: 'city', type: 'string', required: true };
const request = (): object => ({
  url: `https://${BOUND_HOST}/page`,
  headers: { authorization: `Bearer ${placeholderOf('api_token')}` },
});

/** The scripted model of these contracts. */
export function followRules(messages: readonly ModelMessage[]): Thought {
  const { content } = messages.at(-1)!;
  for (const [pattern, thought] of RULES) {
    const found = pattern.exec(content ?? '');
    if (found) return thought(found, messages);
  }
  return { text: 'nothing' };
}

/** The rules for a conversation between an unmodified client and an intern, for every runtime. */
export function conversationContract(
  subject: () => ConversingInterns,
  talkerOf: (base: string, internId: string) => Talker,
): void {
  const value = canary();
  let interns: ConversingInterns;
  let id: string;
  let talker: Talker;
  const said = async (session: string, text: string, manual = false) => talker.say(session, text, manual);
  beforeAll(async () => {
    interns = subject();
    id = await interns.create(`hired-${interns.vendor.seen.length}`, {
      secret: { name: 'api_token', value, host: BOUND_HOST },
    });
    talker = talkerOf(`${interns.stage.origin}/api/v1`, id);
  }, 90_000);
  beforeEach(() => void (interns.think = followRules));

  it('remembers earlier turns of the session, and reports the cost of the model calls of each turn', async () => {
    const session = `memory-${id}`;
    const first = await said(session, 'I am Ada');
    expect(first.text).toBe('I see: I am Ada');
    const second = await said(session, 'I live in Bonn');
    const third = await said(session, 'How often did I write?');
    expect(third.text).toBe('I am Ada|I live in Bonn|How often did I write?');
    const rows = await interns.stage.sql.query<{ cost: string }>(
      'select cost::text from generation g join generation_detail d on d.id = g.id where d.session_id = $1',
      [session],
    );
    const nano = [first, second, third].map(({ cost }) => Math.round(cost! * 1e9));
    expect(rows.map(({ cost }) => Number(cost))).toEqual(nano);
    expect(Math.min(...nano)).toBeGreaterThan(0);
  });

  it('sends a secret to a page that it reads, but not to the model, the disk, the log or the caller', async () => {
    const arrived = interns.world.arrivals.length;
    const read = await said('secret', 'Read the page');
    expect(read.text).toMatch(/^I see: HTTP 200/);
    expect(interns.world.arrivals.slice(arrived).map(({ text }) => text.includes(value))).toEqual([true]);
    const seen = interns.vendor.seen.map(({ raw }) => raw.toString('utf8'));
    const disk = await interns.diskOf(id);
    expect(disk).toContain(placeholderOf('api_token'));
    for (const output of [...seen, disk, ...interns.log, JSON.stringify(read)])
      expect(containsCanary(output)).toBe(false);
  });

  it('does not write a file that the user refuses, and writes one that the user allows', async () => {
    for (const [file, option] of [
      ['refused', 'reject_once'],
      ['granted', 'allow_once'],
    ] as const) {
      const asked = await said('approval', `Write ${file}`, true);
      expect(asked.question).toMatchObject({ kind: 'permission', options: expect.arrayContaining([option]) });
      expect(existsSync(join(interns.homeOf(id), file))).toBe(false);
      await talker.answer('approval', asked.questionId!, option);
    }
    const written = ['refused', 'granted'].map((file) => existsSync(join(interns.homeOf(id), file)));
    expect(written).toEqual([false, true]);
  });

  it('asks the user for values, and receives the answer', async () => {
    const asked = await said('values', 'Ask me');
    expect(asked.question).toEqual({ kind: 'elicitation', message: 'Where?', fields: [CITY] });
    const answer = { action: 'accept', content: { city: 'Bonn' } };
    const going = await talker.answer('values', asked.questionId!, JSON.stringify(answer));
    expect(going.text).toBe('I see: {"city":"Bonn"}');
  });

  it('adds a message to the turn that is running', async () => {
    const release = Promise.withResolvers<undefined>();
    interns.think = (messages) =>
      messages.at(-1)!.content === 'Begin' ? { text: 'One.', until: release.promise } : followRules(messages);
    const calls = interns.vendor.seen.length;
    const first = said('steer', 'Begin');
    await eventually(async () => expect(interns.vendor.seen.length).toBeGreaterThan(calls));
    expect(await said('steer', 'And two')).toMatchObject({ steered: 'steer' });
    // The response confirms that the message was sent to the agent, not that it has arrived.
    await sleep(STEER_ARRIVES_WITHIN_MS);
    release.resolve(undefined);
    expect((await first).text).toBe('One.I see: And two');
  });

  it('cancels the turn and the model call if the caller disconnects, and accepts the next message', async () => {
    interns.think = () => ({ text: 'Working', until: new Promise(() => undefined) });
    await talker.leaveAfter('cancel', 'Work', 'Working');
    await eventually(async () => expect(interns.vendor.seen.at(-1)!.aborted).toBe(true));
    interns.think = followRules;
    const next = await eventually(async () => said('cancel', 'Are you there?'));
    expect(next.text).toBe('I see: Are you there?');
  });

  it('cannot call its model, and causes no vendor call, if its budget is used up', async () => {
    const settings = `/interns/${id}/settings`;
    await interns.stage.standard.put(settings, { json: { limit: 0 } });
    const calls = interns.vendor.seen.length;
    await expect(said('budget', 'Hello')).rejects.toThrow(/limit|credits/i);
    expect(interns.vendor.seen).toHaveLength(calls);
    await interns.stage.standard.put(settings, { json: {} });
    expect((await said('budget', 'Hello again')).text).toBe('I see: Hello again');
  });
}

/** The rules for an intern without its own model, for every runtime. */
export function offlineContract(subject: () => ConversingInterns): void {
  it('uses builtin/eliza if no model is set, and calls the tools that a message names, without a vendor', async () => {
    const interns = subject();
    const id = await interns.create('offline', { model: null });
    const calls = interns.vendor.seen.length;
    const talker = sdkTalker(`${interns.stage.origin}/api/v1`, id);
    expect((await talker.say('s', 'I feel sad today', false)).text).not.toBe('');
    const asked = await talker.say('s', '/call write_file {"path":"note.txt","content":"Hello"}', true);
    await talker.answer('s', asked.questionId!, 'allow_once');
    expect(existsSync(join(interns.homeOf(id), 'note.txt'))).toBe(true);
    expect(interns.vendor.seen).toHaveLength(calls);
    const { json } = await interns.stage.standard.get(`/interns/${id}/sessions`);
    expect(json.data).toMatchObject([{ session_id: 's', turns: 2 }]);
    expect((await interns.stage.standard.delete(`/interns/${id}/sessions/s`)).status).toBe(204);
    expect((await interns.stage.standard.get(`/interns/${id}/sessions`)).json.data).toEqual([]);
  }, 60_000);
}
