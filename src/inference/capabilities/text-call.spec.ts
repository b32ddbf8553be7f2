import type { TextRequest } from '../../formats/client-format.js';
import type { InferenceContext } from '../task.js';
import { textCall } from './text-call.js';

const SETTINGS = { DEFAULT_MAX_OUTPUT_TOKENS: undefined, DRAIN_CANCELLED: false };

describe('the session of a text call', () => {
  const sessionOf = (session: string, workspaceNo = 1): string | undefined => {
    const request = { model: 'any/model', models: [], members: {}, format: { name: 'chat' }, measure: {}, session };
    const context = { caller: { workspaceNo }, facts: {} };
    return textCall(request as unknown as TextRequest, context as unknown as InferenceContext, SETTINGS).session;
  };

  it('has the same length for every id, because it is kept in memory', () => {
    expect(sessionOf('x'.repeat(1_000_000))).toHaveLength(sessionOf('x')!.length);
  });

  it('differs between ids, and between workspaces', () => {
    expect(new Set([sessionOf('a'), sessionOf('b'), sessionOf('a', 2)]).size).toBe(3);
    expect(sessionOf('a')).toBe(sessionOf('a'));
  });

  it('is absent without an id', () => {
    expect(sessionOf('')).toBeUndefined();
  });
});
