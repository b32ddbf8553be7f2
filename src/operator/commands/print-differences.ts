import type { ImportOutcome } from '../../catalogue/catalogue-imports.js';
import { print } from '../output.js';

/** Prints the changes of an import, one difference per line. */
export const printDifferences = ({ differences }: ImportOutcome, json: boolean): void =>
  print(
    differences.map(({ change, subject, member, from, to }) => ({ change, subject, member, from, to })),
    json,
  );
