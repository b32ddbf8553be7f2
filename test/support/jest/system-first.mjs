// Jest's `testSequencer`: runs suites of the project `system` first. They take longest, and none of them should run
// alone at the end.
import Sequencer from '@jest/test-sequencer';

const rank = ({ context }) => (context.config.displayName?.name === 'system' ? 0 : 1);

export default class SystemFirst extends Sequencer {
  sort(tests) {
    return super.sort(tests).toSorted((a, b) => rank(a) - rank(b));
  }
}
