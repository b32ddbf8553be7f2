import type { AskedQuestion, Talk } from '../../talks/talk';
import { withPart } from './talk-parts';

const question = { kind: 'permission', operation: 'write_file: …', options: [] } as const;
const ASKED: AskedQuestion = { callId: 'c', arguments: '{}', question, askedAt: 0 };
const allowed: Talk = { said: [{ by: 'question', question, decision: 'allow_once' }], question: null };

describe('the duration of a call that was allowed', () => {
  it('ends with the first event of the intern after the answer', () => {
    const quiet = withPart(allowed, {}, 100);
    expect(quiet.said).toEqual(allowed.said);
    const later = withPart(withPart(quiet, { text: 'Do' }, 1_200), { text: 'ne', cost: 0.1 }, 1_500);
    expect(later.said).toEqual([
      { by: 'question', question, decision: 'allow_once', tookMs: 1_200 },
      { by: 'intern', text: 'Done', reasoning: '', cost: 0.1, tookMs: 1_500 },
    ]);
  });

  it('ends with the next question of the intern', () => {
    const asked = withPart(allowed, { question: ASKED }, 700);
    expect(asked).toEqual({
      said: [{ by: 'question', question, decision: 'allow_once', tookMs: 700 }],
      question: ASKED,
    });
  });
});

describe('the words of an intern', () => {
  it('have no duration until the response has ended', () => {
    const { said } = withPart({ said: [{ by: 'you', text: 'Hi' }], question: null }, { text: 'Hello' }, 50);
    expect(said.at(-1)).toEqual({ by: 'intern', text: 'Hello', reasoning: '', cost: undefined });
  });
});
