// Jest's `testSequencer`: suites of the project `system` start early and between the others. They take longest, so none
// of them should run alone at the end, and most of them wait, so they use the processors best beside other suites.
import Sequencer from '@jest/test-sequencer';

/** The number of suites of the other projects after each suite of the project `system`. */
const OTHERS_BETWEEN = 4;

const isSystem = ({ context }) => context.config.displayName?.name === 'system';

export default class SystemEarly extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    const others = sorted.filter((test) => !isSystem(test));
    const mixed = sorted.filter(isSystem).flatMap((test) => [test, ...others.splice(0, OTHERS_BETWEEN)]);
    return [...mixed, ...others];
  }
}
