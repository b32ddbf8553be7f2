import { ACCESS, type AccessClass } from '../../kernel/access-matrix.js';
import { STATUS } from '../../kernel/errors/error-status.js';
import type { KeyClass } from '../../kernel/principal.js';

const NAMES: Readonly<Record<KeyClass, string>> = {
  standard: 'standard keys',
  management: 'management keys',
  intern: "an intern's own key",
};

/** The sentence that says which classes of keys may call an operation, from the access matrix. */
export function keyClassesOf(accessClass: AccessClass): string {
  const verdicts = ACCESS[accessClass];
  if (verdicts === null) return '**Key:** none is needed.';
  const classes = Object.entries(verdicts) as [KeyClass, keyof typeof STATUS | 'allow'][];
  const allowed = classes.flatMap(([name, verdict]) => (verdict === 'allow' ? [NAMES[name]] : []));
  const refused = classes.flatMap(([name, verdict]) =>
    verdict === 'allow' ? [] : [`${NAMES[name]} with ${STATUS[verdict]}`],
  );
  const refusal = refused.length > 0 ? ` Refused: ${refused.join(', ')}.` : '';
  return `**Key:** ${allowed.join(', ')}.${refusal}`;
}
