import { hash } from 'node:crypto';
import { SecretValue } from '../../kernel/secret-value.js';
import { FormAutomaton } from './form-automaton.js';
import { MaskWindow } from './mask-window.js';
import { formsOf, SecretForm } from './secret-forms.js';

/** Approximate memory per form, in the automatons and elsewhere. */
const FORM_BYTES = 2_000;

/** Searches for a set of secrets in all their forms. Immutable; shared by concurrent responses. */
export class SecretMatcher {
  private constructor(
    private readonly forms: readonly SecretForm[],
    private readonly automaton: FormAutomaton,
    /** The automaton for header names, which are forwarded in lower case. */
    private readonly nameAutomaton: FormAutomaton,
    private readonly digests: ReadonlySet<string>,
  ) {}

  static of(values: readonly string[]): SecretMatcher {
    const building = SecretMatcher.building(values.map((value) => new SecretValue(value)));
    for (;;) {
      const step = building.next();
      if (step.done) return step.value;
    }
  }

  /** Builds a matcher in steps, because a matcher for a large vault takes many turns of the event loop. */
  static *building(values: readonly SecretValue[]): Generator<void, SecretMatcher, void> {
    const forms: SecretForm[] = [];
    const digests = new Set<string>();
    for (const value of values) {
      const digest = hash('sha256', value.reveal(), 'base64');
      if (digests.has(digest)) continue;
      digests.add(digest);
      forms.push(...formsOf(value.reveal()));
      yield;
    }
    const automaton = yield* FormAutomaton.building(forms);
    return new SecretMatcher(forms, automaton, yield* FormAutomaton.building(forms.map(inLowerCase)), digests);
  }

  /** Whether this matcher searches for every secret of the other matcher. */
  covers(other: SecretMatcher): boolean {
    return other === this || [...other.digests].every((digest) => this.digests.has(digest));
  }

  /** Approximate memory in bytes. */
  get bytes(): number {
    return this.forms.reduce((sum, form) => sum + FORM_BYTES + form.keptBytes, 0);
  }

  /** Whether there is nothing to search for. */
  get isEmpty(): boolean {
    return this.automaton.isEmpty;
  }

  /** Creates the state for one response. */
  newWindow(): MaskWindow {
    return new MaskWindow(this.automaton);
  }

  /** Masks a text in which each character is a byte, as in Node's headers. */
  maskedText(text: string): string {
    return masked(text, this.automaton);
  }

  /** Masks a header name, which must be in lower case. */
  maskedName(name: string): string {
    return masked(name, this.nameAutomaton);
  }
}

function masked(text: string, automaton: FormAutomaton): string {
  if (automaton.isEmpty) return text;
  const window = new MaskWindow(automaton);
  return Buffer.concat([window.push(Buffer.from(text, 'latin1')), window.end()]).toString('latin1');
}

const lowered = (bytes: Buffer): Buffer =>
  Buffer.from(
    bytes.toString('latin1').replace(/[A-Z]+/g, (letters) => letters.toLowerCase()),
    'latin1',
  );

const inLowerCase = (form: SecretForm): SecretForm =>
  new SecretForm(lowered(form.prefix), form.length, form.isEncoded, () => lowered(form.whole));
