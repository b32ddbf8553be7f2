import { openAgentStage, type AgentStage } from '../../test/support/interns/agent-stage.js';
import { eventOf } from '../../test/support/vendors/scripted-model.js';

const CALL = {
  tool_calls: [{ index: 0, id: 'v', type: 'function', function: { name: 'list_files', arguments: '{}' } }],
};

interface Sent {
  readonly reasoning?: string;
  readonly reasoning_details?: readonly unknown[];
}

/** A vendor refuses the next call of a tool loop unless the request contains its unchanged reasoning. */
describe('the reasoning of a model', () => {
  let stage: AgentStage;
  beforeAll(async () => {
    stage = await openAgentStage();
    await stage.boot({ model: 'scripted/model' });
  });
  afterAll(() => stage.close());
  beforeEach(() => void stage.model.calls.splice(0));

  const replyOf = (...deltas: object[]): { raw: string } => ({
    raw: [
      ...deltas.map((delta) => eventOf({ choices: [{ index: 0, delta, finish_reason: null }] })),
      eventOf({ choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] }),
      'data: [DONE]\n\n',
    ].join(''),
  });
  /** The reasoning in the assistants' messages of the newest call. */
  const sentBack = (): Sent[] =>
    (stage.model.calls.at(-1)!.json.messages as (Sent & { role: string })[])
      .filter(({ role }) => role === 'assistant')
      .map(({ reasoning, reasoning_details }) => ({ reasoning, reasoning_details }));
  const details = (...pieces: object[]): object => ({ reasoning_details: pieces });
  const text = (more: object): object => ({ type: 'reasoning.text', format: 'anthropic-claude-v1', index: 0, ...more });

  it('is sent back with results of calls: whole entries in order, with signatures and unknown members', async () => {
    const encrypted = {
      type: 'reasoning.encrypted',
      data: 'c2VjcmV0',
      id: 'r',
      format: 'anthropic-claude-v1',
      index: 1,
    };
    const second = { ...encrypted, data: 'bW9yZQ==' };
    stage.model.script(
      replyOf(
        { reasoning: 'I loo', ...details(text({ text: 'I loo' })) },
        { reasoning: 'k.', ...details(text({ text: 'k.', of_the_vendor: [1] })) },
        details(text({ signature: 'sig==' })),
        details(encrypted, second),
        details(text({ text: 'Then', index: 2 }), text({ text: ' more', index: 2 })),
        CALL,
      ),
    );
    await stage.turn('Look', { sessionId: 'one' });
    expect(sentBack()).toEqual([
      {
        reasoning: 'I look.',
        reasoning_details: [
          text({ text: 'I look.', of_the_vendor: [1], signature: 'sig==' }),
          encrypted,
          second,
          text({ text: 'Then more', index: 2 }),
        ],
      },
    ]);
  });

  it('starts a new entry after a signature, and with another id or format', async () => {
    const pieces = [
      text({ text: 'a', signature: 's' }),
      text({ text: 'b' }),
      text({ text: 'c', format: 'unknown' }),
      text({ text: 'd', format: 'unknown', id: 'x' }),
      text({ text: 'e', format: 'unknown', id: 'y' }),
    ];
    stage.model.script(replyOf(details(...pieces), CALL));
    await stage.turn('Look', { sessionId: 'two' });
    const [a, b, , , e] = pieces;
    const joined = text({ text: 'cd', format: 'unknown', id: 'x' });
    expect(sentBack()[0]!.reasoning_details).toEqual([a, b, joined, e]);
  });

  it('is sent back at each step of the turn, and not in the next turn, which may have another model', async () => {
    const step = (word: string) => replyOf({ reasoning: word, ...details(text({ text: word })) }, CALL);
    stage.model.script(step('one'), step('two'));
    await stage.turn('Look', { sessionId: 'three' });
    expect(sentBack().map(({ reasoning }) => reasoning)).toEqual(['one', 'two']);
    await stage.turn('And now?', { sessionId: 'three' });
    expect(sentBack()).toEqual([{}, {}, {}]);
  });

  it('is omitted if it is longer than 1,000,000 characters, or if it is not a list of objects', async () => {
    const long = 'x'.repeat(250_000);
    stage.model.script(
      replyOf(...Array.from({ length: 5 }, () => details(text({ text: long }))), CALL),
      replyOf({ reasoning_details: 'none' }, details(null!, [] as never, 5 as never), CALL),
    );
    await stage.turn('Look', { sessionId: 'four' });
    expect(sentBack()).toEqual([{}, {}]);
  });
});
