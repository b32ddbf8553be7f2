import type { ImportOutcome } from '../../catalogue/catalogue-imports.js';
import { print } from '../output.js';

/** Prints what an import changes, one difference a line. */
export const printDifferences = ({ differences }: ImportOutcome, json: boolean): void =>
  print(
    differences.map(({ change, subject, member, from, to }) => ({ change, subject, member, from, to })),
    json,
  );
