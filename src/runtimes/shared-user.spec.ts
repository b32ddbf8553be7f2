import { sharedUserWarning } from './shared-user.js';

describe('the warning that an agent may read the master key', () => {
  it.each([
    ['process', 1000, true],
    ['process', undefined, true],
    ['process', 0, false],
    ['docker', 1000, false],
    ['none', 1000, false],
  ] as const)('is given with INTERN_RUNTIME=%s and the user id %s: %s', (INTERN_RUNTIME, uid, warns) => {
    expect(sharedUserWarning({ INTERN_RUNTIME }, uid)).toEqual(
      warns ? expect.stringMatching(/INTERN_RUNTIME=process.*has the master key/) : undefined,
    );
  });
});
