import { FormAutomaton } from './form-automaton.js';
import { SLICE_BYTES } from './mask-window.js';
import { TooMuchWork } from './mask-scanner.js';
import { SecretMatcher } from './secret-matcher.js';
import { Tail } from './tail.js';

/** Counts steps of the automaton and of long forms. A mock would keep the arguments of millions of calls. */
class StepCounter {
  steps = 0;
  readonly #step = FormAutomaton.prototype.step;
  readonly #next = Tail.prototype.next;

  constructor() {
    const [counter, step, next] = [this, this.#step, this.#next];
    FormAutomaton.prototype.step = function (...args) {
      counter.steps++;
      return step.apply(this, args);
    };
    Tail.prototype.next = function (...args) {
      counter.steps++;
      return next.apply(this, args);
    };
  }

  restore(): void {
    FormAutomaton.prototype.step = this.#step;
    Tail.prototype.next = this.#next;
  }
}

/** The highest number measured in this suite is 10. */
const MAX_STEPS_PER_BYTE = 16;

describe('a secret in a response', () => {
  it('is found in a source that is expensive to search, or the source is not forwarded', () => {
    const hostile: readonly (readonly [secret: string, text: string])[] = [
      ['a'.repeat(64), 'a'],
      [`${'a'.repeat(65_535)}b`, 'a'],
      ['%41%41%41'.repeat(20), '%41'],
      ['\\'.repeat(60), '\\'],
      [' +'.repeat(30), '+'],
      ['&amp;'.repeat(12), '&amp;'],
      ['%25'.repeat(20), '%25'],
    ];
    const counter = new StepCounter();
    try {
      for (const [secret, text] of hostile) {
        // Cheap input at the start must not increase the budget for expensive input later.
        for (const before of ['', 'x'.repeat(1_000_000)]) {
          const window = SecretMatcher.of([secret]).newWindow();
          const source = Buffer.from(`${before}${text.repeat(Math.ceil(150_000 / text.length))}`);
          const passed: Buffer[] = [];
          let mostSteps = 0;
          try {
            for (let at = 0; at < source.length; at += SLICE_BYTES) {
              counter.steps = 0;
              passed.push(window.push(source.subarray(at, at + SLICE_BYTES)));
              mostSteps = Math.max(mostSteps, counter.steps);
            }
            passed.push(window.end());
          } catch (error) {
            expect(error).toBeInstanceOf(TooMuchWork);
          }
          expect(Buffer.concat(passed).includes(secret)).toBe(false);
          expect(mostSteps).toBeLessThan(MAX_STEPS_PER_BYTE * SLICE_BYTES);
        }
      }
    } finally {
      counter.restore();
    }
  }, 60_000);
});
