import type { Said, Talk } from '../../talks/talk';
import type { TurnUpdate } from './intern-turn';
import { t } from '../../text/translate';

const STEERED = t('Your message was added to the work under way.');

/**
 * Adds a received part to the intern's last entry. `elapsedMs`: the time since the message or the answer was sent. The
 * API does not send results or times of tools, so the time of an allowed call includes the time until the model
 * continued.
 */
export function withPart(talk: Talk, part: TurnUpdate, elapsedMs: number): Talk {
  const { text = '', reasoning = '', cost, question, isSteered } = part;
  const isSilent = !text && !reasoning && cost === undefined;
  const before = isSilent && !question ? talk.said : answeredIn(talk.said, elapsedMs);
  const said = isSteered ? [...before, { by: 'intern', text: STEERED } as const] : before;
  const next = { said, question: question ?? talk.question };
  if (isSilent) return next;
  const time = cost === undefined ? {} : { tookMs: elapsedMs };
  const last = said.at(-1);
  if (last?.by !== 'intern') return { ...next, said: [...said, { by: 'intern', text, reasoning, cost, ...time }] };
  const more: Said = {
    ...last,
    text: last.text + text,
    reasoning: (last.reasoning ?? '') + reasoning,
    cost: cost ?? last.cost,
    ...time,
  };
  return { ...next, said: said.with(said.length - 1, more) };
}

/** The entries. If the last entry is an answered question, it gets the time since the answer. */
function answeredIn(said: readonly Said[], tookMs: number): readonly Said[] {
  const last = said.at(-1);
  return last?.by === 'question' && last.tookMs === undefined ? said.with(said.length - 1, { ...last, tookMs }) : said;
}
