import { CANCELLABLE, PROMPT, startChatMoneyStage, type ChatMoneyStage } from '../../support/money/chat-money-stage.js';
import { goodCompletion } from '../../support/vendors/scripted-chat-vendor.js';

let stage: ChatMoneyStage;
beforeAll(async () => (stage = await startChatMoneyStage({ env: { BREAKER_FAILURES: '1000' } })));
afterAll(() => stage.stop());

interface Choice {
  readonly index: number;
}

/** A body whose choice has this finish reason. Undefined: the choice has no `finish_reason`. */
const bodyWith = (reason: string | null | undefined): object => {
  const { choices, ...rest } = goodCompletion() as { choices: readonly Choice[] };
  return { ...rest, choices: choices.map((choice) => ({ ...choice, finish_reason: reason })) };
};

describe('the native finish reason', () => {
  it.each([
    ['left out', undefined, null, 'stop', 'end_turn'],
    ['null', null, null, 'stop', 'end_turn'],
    ['empty', '', null, 'stop', 'end_turn'],
    ['stop', 'stop', 'stop', 'stop', 'end_turn'],
    ['an unknown word', 'eos_token', 'eos_token', 'stop', 'end_turn'],
    ['length', 'length', 'length', 'length', 'max_tokens'],
  ])('is the reason that the vendor sends, or null: %s', async (_, sent, native, reason, stopReason) => {
    const messages = [{ role: 'user', content: PROMPT }];
    const recorded = async (id: string | null): Promise<unknown> =>
      (await stage.service.standard.get(`/generation?id=${id}`)).json.data.native_finish_reason;

    stage.vendor.script({ body: bodyWith(sent) });
    const chat = await stage.service.standard.post('/chat/completions', { json: { model: CANCELLABLE, messages } });
    expect(chat.json.choices[0]).toMatchObject({ finish_reason: reason, native_finish_reason: native });
    expect(await recorded(chat.headers.get('x-generation-id'))).toBe(native);

    stage.vendor.script({ body: bodyWith(sent) });
    const json = { model: CANCELLABLE, messages, max_tokens: 10 };
    const message = await stage.service.standard.post('/messages', { json });
    expect(message.json).toMatchObject({ stop_reason: stopReason });
    expect(await recorded(message.headers.get('x-generation-id'))).toBe(native);
  });
});
