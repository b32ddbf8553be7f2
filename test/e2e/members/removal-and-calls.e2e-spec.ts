import { goodEvents } from '../../support/vendors/scripted-chat-vendor.js';
import { HELLO, startTextStage, type TextStage } from '../../support/calls/text-stage.js';
import { eventually } from '../../support/eventually.js';
import { makePerson, ownerOf, send } from '../../support/members/account-people.js';
import { expectBalanced, readBooks } from '../../support/money/count-the-money.js';

describe('calls that are under way when their member is removed', () => {
  let stage: TextStage;
  beforeAll(async () => {
    stage = await startTextStage();
  }, 60_000);
  afterAll(() => stage.stop());

  it('finish, and are billed; no further call begins', async () => {
    const owner = await ownerOf(stage.service);
    const person = await makePerson(stage.service, 'developer', 'Calling');
    const key = (await person.browser.post('/keys', { name: 'own' })).json.key as string;
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const { seen } = stage.vendors.openai;
    const before = seen.length;
    stage.vendors.openai.script({ events: goodEvents(), holdAfter: 1, released });
    const call = stage.chat({ messages: HELLO, stream: true }, { key });
    await eventually(async () => expect(seen).toHaveLength(before + 1));
    expect((await send(owner, 'DELETE', `/members/${person.userId}`)).status).toBe(200);
    const refused = await stage.chat({ messages: HELLO }, { key });
    expect(refused.status).toBe(401);
    release();
    const answer = await call;
    expect(answer.status).toBe(200);
    await eventually(async () => {
      const calls = await stage.service.sql.query<{ cost: bigint }>(
        'select g.cost from generation g join api_key k on k.no = g.key_no where k.creator_user_id = $1',
        [person.userId],
      );
      expect(calls.map(({ cost }) => cost > 0n)).toEqual([true]);
    });
    const books = await readBooks(stage.service.sql);
    expectBalanced(books);
    expect(books.accountReserved).toBe(0n);
  });
});
