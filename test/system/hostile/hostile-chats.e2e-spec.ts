import { errorLines } from '../../fuzz/error-lines.js';
import { judgeChatStream } from '../../support/chat-stream-judge.js';
import { imbalances, readBooks } from '../../support/count-the-money.js';
import { drawn } from '../../support/drawn.js';
import { eventually } from '../../support/eventually.js';
import { CHAT_MODELS, errorOf, openHostileChatStage, type HostileChatStage } from '../../support/hostile-chat-stage.js';
import { HOSTILE_CHATS } from '../../support/hostile-chats.js';
import type { HostileChat } from '../../support/odd-conversations.js';
import { LONG_TESTS } from '../../support/long-tests.js';

/** `HOSTILE_ONLY='a role'` sends only bodies of such names, all of them. */
const ONLY = process.env['HOSTILE_ONLY'];
const IS_WHOLE = LONG_TESTS || ONLY !== undefined;
/** Bodies of 25 MiB take some tenths of a second each: a short run sends a few of them. */
const DRAWN = IS_WHOLE ? Infinity : 80;
const LARGE_DRAWN = IS_WHOLE ? Infinity : 15;
const MAX_GROWTH_BYTES = 64 * 1_048_576;
const WAYS = Object.entries(CHAT_MODELS);

describe('a hostile or odd body of POST /chat/completions', () => {
  let stage: HostileChatStage;
  let before = 0;
  beforeAll(async () => {
    stage = await openHostileChatStage();
    for (const [, model] of WAYS) await stage.post(asStream('{"messages":[{"role":"user","content":"x"}]}', model));
    before = (await stage.service.memory()).used;
  }, 120_000);
  afterAll(() => stage.close(), 60_000);

  /** A stream where the body is an object that says nothing about it. */
  const asStream = (body: string, model: string): string =>
    body.replace(/^\{/, `{"stream":true,"model":"${model}",`).replace(',}', '}');

  async function faultsOf({ body: make, isLarge }: HostileChat, model: string, streamed: boolean): Promise<string[]> {
    const made = make(model);
    const body = streamed && typeof made === 'string' ? made.replace(/^\{/, '{"stream":true,') : made;
    const reply = isLarge ? await stage.watched(body) : { ...(await stage.post(body)), stall: undefined };
    const faults = reply.stall === undefined ? [] : [reply.stall];
    const isStream = /event-stream/.test(reply.headers.get('content-type') ?? '');
    if (reply.status >= 400) {
      if (errorOf(reply).code !== reply.status || reply.status >= 500)
        faults.push(`${reply.status}: ${reply.body.toString().slice(0, 300)}`);
    } else if (isStream) {
      const judged = judgeChatStream(reply.body);
      faults.push(...judged.faults, ...(judged.error ? [`an error chunk: ${judged.error.message}`] : []));
    } else if (!Array.isArray(JSON.parse(reply.body.toString()).choices)) faults.push('no completion');
    return faults;
  }

  it.each(
    Object.entries(HOSTILE_CHATS).flatMap(([kind, chats]) =>
      WAYS.map(([way, model]) => [kind, way, model, chats] as const),
    ),
  )(
    '%s, %s: a status of section 5, and never a 5xx',
    async (_, way, model, chats) => {
      const faults: string[] = [];
      const chosen = chats.filter(({ name }) => ONLY === undefined || name.includes(ONLY));
      for (const chat of drawn(chosen, chosen[0]?.isLarge ? LARGE_DRAWN : DRAWN))
        for (const streamed of chat.isLarge ? [way !== 'bytes'] : [false, true])
          faults.push(
            ...(await faultsOf(chat, model, streamed)).map(
              (fault) => `${chat.name}${streamed ? ', streamed' : ''}: ${fault}`,
            ),
          );
      expect(faults).toEqual([]);
    },
    14_400_000,
  );

  it('leaves the memory flat, the books balanced and no error in the log', async () => {
    await eventually(async () => {
      const books = await readBooks(stage.sql);
      expect([books.openReservations, ...imbalances(books)]).toEqual([0n]);
    });
    expect((await stage.service.memory()).used - before).toBeLessThan(MAX_GROWTH_BYTES);
    expect(errorLines(stage.service.output())).toEqual([]);
  }, 60_000);
});
