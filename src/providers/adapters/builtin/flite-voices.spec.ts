import { GatewayError } from '../../../kernel/errors/errors.js';
import { checkInput, fliteSpeed, FLITE_MAX_CHARACTERS, FLITE_VOICES, fliteVoice } from './flite-voices.js';

const failure = (act: () => unknown): GatewayError => {
  try {
    act();
  } catch (error) {
    return error as GatewayError;
  }
  throw new Error('it did not fail');
};

describe('voices', () => {
  it("are the names of Flite and the names that OpenAI's clients send", () => {
    const names = 'slt rms awb kal16 alloy ash ballad cedar coral echo fable marin nova onyx sage shimmer verse';
    expect([...FLITE_VOICES].sort()).toEqual(names.split(' ').sort());
    expect(
      FLITE_VOICES.map((name) => fliteVoice(name).name).every((name) => ['slt', 'rms', 'awb', 'kal16'].includes(name)),
    ).toBe(true);
  });

  it.each(['', 'kal', 'Alloy', '/etc/passwd', '-o', '__proto__', 'constructor', 'slt\u0000', 'awb_time'])(
    'are listed in the error for the unknown name %j',
    (name) => {
      const { kind, message } = failure(() => fliteVoice(name));
      expect(kind).toBe('invalid_request');
      expect(message).toContain(JSON.stringify(name));
      for (const voice of FLITE_VOICES) expect(message).toContain(voice);
    },
  );

  it('have a short error even for a long unknown name', () => {
    expect(failure(() => fliteVoice('x'.repeat(100_000))).message.length).toBeLessThan(300);
  });
});

describe('speed', () => {
  it.each([
    [undefined, 1],
    [0.25, 0.25],
    [0.2499, 0.25],
    [0, 0.25],
    [-1, 0.25],
    [1.5, 1.5],
    [4, 4],
    [4.001, 4],
    [1e300, 4],
  ])('is clamped to 0.25 to 4: %d is spoken at %d', (speed, spoken) => {
    expect(fliteSpeed(speed)).toBe(spoken);
  });
});

describe('input', () => {
  it.each([
    ['letters', 'a'.repeat(FLITE_MAX_CHARACTERS)],
    ['emoji, each of which counts as one character', '😀'.repeat(FLITE_MAX_CHARACTERS)],
  ])('may have 20,000 characters of %s', (_kind, input) => {
    expect(() => checkInput(input)).not.toThrow();
  });

  it.each([
    ['letters', 'a'.repeat(FLITE_MAX_CHARACTERS + 1)],
    ['emoji', '😀'.repeat(FLITE_MAX_CHARACTERS + 1)],
  ])('may not have 20,001 characters of %s, and the error states the limit', (_kind, input) => {
    const { kind, message } = failure(() => checkInput(input));
    expect(kind).toBe('invalid_request');
    expect(message).toContain('20001');
    expect(message).toContain('20000');
  });

  it.each(['', '  ', '\n\t\u00a0\ufeff'])('may not be empty after trimming: %j', (input) => {
    expect(failure(() => checkInput(input)).kind).toBe('invalid_request');
  });
});
