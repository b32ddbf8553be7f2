// Jest's `testSequencer`: suites of the project `system` start early, and suites of `api` between them. Most suites of
// `system` wait more than they compute, and take long, so none of them should run alone at the end. Unit tests, which
// CI does not retry, run last, beside the lightest load.
import Sequencer from '@jest/test-sequencer';

/** The number of suites of `api` after each suite of `system`. */
const BETWEEN = 3;

const inProject =
  (name) =>
  ({ context }) =>
    context.config.displayName?.name === name;

export default class SystemEarly extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    const api = sorted.filter(inProject('api'));
    const mixed = sorted.filter(inProject('system')).flatMap((test) => [test, ...api.splice(0, BETWEEN)]);
    return [...mixed, ...api, ...sorted.filter(inProject('unit'))];
  }
}
