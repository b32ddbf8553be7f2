import { readFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { eventually } from '../../support/eventually.js';
import { startTextStage, type TextStage } from '../../support/calls/text-stage.js';

const SOURCES = pathToFileURL(join(process.cwd(), 'src')).href;
const MAX_FILES = 55;

/**
 * The files that docs/architecture.md lists for each step. A name without a path belongs to the folder of the previous
 * file.
 */
function listed(): readonly string[] {
  const page = readFileSync('docs/architecture.md', 'utf8');
  const rows = page.slice(page.indexOf('| route, context |'), page.indexOf('On this path, control returns'));
  let folder = '';
  return [...rows.matchAll(/`([a-z0-9/.-]+\.ts)`/g)].map(([, name = '']) => {
    if (name.includes('/')) folder = name.slice(0, name.lastIndexOf('/') + 1);
    return name.includes('/') ? name : folder + name;
  });
}

let stage: TextStage;
beforeAll(async () => (stage = await startTextStage({ env: { CREDIT_LEASES: 'on' } })));
afterAll(() => stage.stop());

describe('the walk of a streamed chat in docs/architecture.md', () => {
  it(`names at most ${MAX_FILES} files, without duplicates`, () => {
    const files = listed();
    expect(files.length).toBeGreaterThan(40);
    expect(files.length).toBeLessThanOrEqual(MAX_FILES);
    expect(new Set(files).size).toBe(files.length);
  });

  it('names only files whose code a streamed chat runs', async () => {
    const session = new Session();
    session.connect();
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    const ran = new Set<string>();
    const missed = async (): Promise<readonly string[]> => {
      const answers = await Promise.all(Array.from({ length: 20 }, () => stage.chat({ stream: true })));
      for (const { status } of answers) expect(status).toBe(200);
      const { result } = await session.post('Profiler.takePreciseCoverage');
      for (const { url, functions } of result)
        if (url.startsWith(SOURCES) && functions.some(({ ranges: [whole] }) => (whole?.count ?? 0) > 0))
          ran.add(url.slice(SOURCES.length + 1).replace(/\?.*/, ''));
      return listed().filter((file) => !ran.has(file));
    };
    try {
      // Repeated, because a credit lease starts only when a key makes many calls.
      await eventually(async () => expect(await missed()).toEqual([]));
    } finally {
      session.disconnect();
    }
  });
});
