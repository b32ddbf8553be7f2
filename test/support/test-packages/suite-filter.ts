import { relative } from 'node:path';
import { installTestPackages } from '../../../dev/test-packages.ts';
import { neededPackages, testPackages } from './needed-packages.ts';

interface FilterResult {
  readonly filtered: readonly string[];
}

const skipped: string[] = [];

/**
 * Jest's `filter`: installs the packages of test/package.json if a suite of this run needs them. If that fails, for
 * example without a network, it excludes those suites from the run and lists them.
 */
async function filterSuites(files: readonly string[]): Promise<FilterResult> {
  const packages = testPackages();
  const needs = new Map(files.map((file) => [file, neededPackages(file, packages)]));
  const inNeed = files.filter((file) => needs.get(file)!.length > 0);
  if (inNeed.length > 0 && !(await canInstall())) {
    skipped.push(...inNeed.map((file) => `${relative(process.cwd(), file)} (needs ${needs.get(file)!.join(', ')})`));
    reportSkippedSuites();
    return { filtered: files.filter((file) => !inNeed.includes(file)) };
  }
  return { filtered: files };
}

async function canInstall(): Promise<boolean> {
  try {
    await installTestPackages();
    return true;
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    return false;
  }
}

/** Lists the excluded suites, one per line. */
export function reportSkippedSuites(): void {
  if (skipped.length === 0) return;
  const lines = skipped.map((suite) => `  skipped: ${suite}\n`).join('');
  process.stderr.write(`Suites skipped without the packages of test/package.json: ${skipped.length}\n${lines}`);
}

// Jest loads the filter with `require()`, which returns the export of this name.
export { filterSuites as 'module.exports' };
