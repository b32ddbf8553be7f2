import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { crossingsAllowed, crossingsRefused } from './rooms.fixture.js';

const ROOT = process.cwd();
const CONFIG = join(ROOT, '.dependency-cruiser.cjs');
const CRUISER = join(ROOT, 'test/node_modules/dependency-cruiser/bin/dependency-cruiser.mjs');

interface Violation {
  readonly from: string;
  readonly to: string;
  readonly rule: { readonly name: string };
}

interface Cruise {
  readonly violations: readonly Violation[];
  readonly modules: number;
}

/**
 * Runs the cruiser on a folder's `src` and `packages` with the table of rooms. Ignores its exit code for violations.
 */
function cruise(folder: string): Promise<Cruise> {
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      [CRUISER, '--config', CONFIG, '--output-type', 'json', 'src', 'packages'],
      { cwd: folder, maxBuffer: 64 * 1024 * 1024 },
      (error, stdout, stderr) => {
        try {
          const { summary } = JSON.parse(stdout) as { summary: { violations: Violation[]; totalCruised: number } };
          resolve({ violations: summary.violations, modules: summary.totalCruised });
        } catch {
          reject(new Error(`dependency-cruiser printed no report: ${stderr || error?.message}`));
        }
      },
    );
  });
}

/** Writes a small source tree to disk: one file per path, with the given text. */
function build(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

const describeCrossing = (v: Violation): string => `${v.rule.name}: ${v.from} -> ${v.to}`;

describe('the rooms (folders of src)', () => {
  it('import only downwards, through faces, without cycles (npm run architecture)', async () => {
    const { violations, modules } = await cruise(ROOT);

    expect(violations.map(describeCrossing)).toEqual([]);
    expect(modules).toBeGreaterThan(4);
  });

  describe('in a source tree that breaks the table', () => {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-rooms-'));
    const { forbidden } = createRequire(import.meta.url)(CONFIG) as { forbidden: { name: string }[] };
    let seen: readonly Violation[] = [];

    beforeAll(async () => {
      symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
      symlinkSync(join(ROOT, 'package.json'), join(folder, 'package.json'));
      for (const { files } of [...crossingsRefused, ...crossingsAllowed]) build(folder, files);
      seen = (await cruise(folder)).violations;
    });

    afterAll(() => rmSync(folder, { recursive: true, force: true }));

    it.each(crossingsRefused)('$rule refuses $from', ({ rule, from }) => {
      const found = seen.filter((violation) => violation.rule.name === rule && violation.from === from);

      expect(found).not.toEqual([]);
    });

    it.each(crossingsAllowed)('no rule refuses $from', ({ from }) => {
      expect(seen.filter((violation) => violation.from === from).map(describeCrossing)).toEqual([]);
    });

    it('every rule of the table has a sample that it refuses', () => {
      const proven = new Set(crossingsRefused.map(({ rule }) => rule));

      expect(forbidden.map(({ name }) => name).filter((name) => !proven.has(name))).toEqual([]);
    });
  });
});
