import type { Page, Request } from 'playwright-core';
import { consolePaths } from '../../../support/console/console-routes.js';
import { describeInChromium, startConsoleStage, type ConsoleStage } from '../../../support/console/console-stage.js';
import { createTestDatabase, type TestDatabase } from '../../../support/database/test-database.js';
import { eventually } from '../../../support/eventually.js';
import { LONG_TESTS } from '../../../support/long-tests.js';
import { operate } from '../../../support/services/operator-line.js';
import { temporaryFolder, type TemporaryFolder } from '../../../support/temporary-folder.js';

const CALLS = LONG_TESTS ? 100_000 : 5_000;
const KEYS = 2_000;
const PEOPLE = 300;
/** The maximum number of requests for the figures of a page, in addition to the frame and the names of rows. */
const MAX_REQUESTS = 6;
/** Names are requested after each response with new ids, unless a request for names is in progress. */
const MAX_NAME_REQUESTS = 4;
const NAMES = 'POST api/v1/names';
/** Requested by the header on pages where the workspace can be chosen. */
const WORKSPACES = 'GET api/v1/workspaces';
const MAX_ROWS_IN_DOCUMENT = 350;
/** A page is complete after this time without a request. */
const SETTLED_MS = 400;

interface Visit {
  readonly path: string;
  readonly requests: readonly string[];
  /** The ids whose names were requested. */
  readonly named: readonly string[];
  readonly ms: number;
}

describeInChromium(`the console with ${CALLS} calls, ${KEYS} keys and ${PEOPLE} people`, () => {
  let database: TestDatabase;
  let stage: ConsoleStage;
  let folder: TemporaryFolder;

  beforeAll(async () => {
    folder = await temporaryFolder();
    database = await createTestDatabase();
    const env = { DATABASE_URL: database.url, DATA_DIR: folder.path, MASTER_KEY: 'a1'.repeat(32) };
    const words = ['--calls', CALLS, '--keys', KEYS, '--people', PEOPLE].map(String);
    expect((await operate(database.url, env, 'demo', ...words)).error).toBeUndefined();
    stage = await startConsoleStage({
      databaseUrl: database.url,
      env: { INTERN_RUNTIME: 'none', RATE_LIMIT_ANALYTICS: 'off' },
    });
    await eventually(async () => {
      const query = { json: { metrics: ['request_count'] } };
      expect((await stage.service.management.post('/analytics/query', query)).json.data.warnings).toBeUndefined();
    }, 60_000);
  }, 1_800_000);
  afterAll(async () => {
    await stage?.stop();
    await database.drop();
    await folder.remove();
  });

  it('draws the figures of every page with few requests', async () => {
    const { goto, context, page } = await stage.open();
    const visits: Visit[] = [];
    const visit = async (path: string): Promise<Visit> => {
      const requests: string[] = [];
      const named: string[] = [];
      let last = performance.now();
      const note = (request: Request): void => {
        last = performance.now();
        if (request.resourceType() !== 'fetch') return;
        const url = new URL(request.url());
        requests.push(`${request.method()} ${url.pathname.replace('/console/', '')}`);
        if (requests.at(-1) === NAMES)
          named.push(...(Object.values(request.postDataJSON() as object) as string[][]).flat());
      };
      const ended = (): void => void (last = performance.now());
      page.on('request', note).on('requestfinished', ended).on('requestfailed', ended);
      const start = performance.now();
      await goto(path);
      await page.getByRole('navigation', { name: 'Pages' }).waitFor();
      while (performance.now() - last < SETTLED_MS || (await page.getByLabel('Loading', { exact: true }).count()) > 0)
        await page.waitForTimeout(20);
      page.off('request', note).off('requestfinished', ended).off('requestfailed', ended);
      return { path, requests, named, ms: Math.round(last - start) };
    };
    await page.waitForLoadState('networkidle');
    const frame = await visit('/no-such-page');
    for (const path of await consolePaths(stage.service)) visits.push(await visit(path));
    const own = visits.map((each) => ({ ...each, requests: without(each.requests, [...frame.requests, WORKSPACES]) }));
    console.log(tableOf(frame, own));
    const isNames = (request: string): boolean => request.startsWith(NAMES);
    const tooMany = own.filter(
      ({ requests }) =>
        requests.filter((each) => !isNames(each)).length > MAX_REQUESTS ||
        requests.filter(isNames).length > MAX_NAME_REQUESTS,
    );
    expect(tooMany).toEqual([]);
    expect(own.filter(({ named }) => new Set(named).size < named.length)).toEqual([]);
    await context.close();
  }, 300_000);

  it('scrolls to the last row of long lists, with few rows in the document', async () => {
    const { goto, context, page } = await stage.open();
    await goto('/keys?sort=created_at&direction=desc');
    expect(await scrollToEnd(page, 'Keys', (await page.getByRole('row').count()) + KEYS)).toBeLessThan(
      MAX_ROWS_IN_DOCUMENT,
    );
    await page.getByRole('row').filter({ hasText: 'Bootstrap' }).first().waitFor();
    await goto('/members');
    expect(await scrollToEnd(page, 'Members', PEOPLE)).toBeLessThan(MAX_ROWS_IN_DOCUMENT);
    await goto('/usage?by=%5B%22api_key_id%22%5D&metrics=%5B%22request_count%22%5D&range=month');
    expect(await scrollToEnd(page, 'Usage', 200)).toBeLessThan(MAX_ROWS_IN_DOCUMENT);
    await context.close();
  }, 300_000);
});

/** The entries of `all` minus the entries of `some`. Each entry of `some` removes one equal entry. */
function without(all: readonly string[], some: readonly string[]): string[] {
  const left = [...some];
  return all.filter((each) => {
    const place = left.indexOf(each);
    if (place >= 0) left.splice(place, 1);
    return place < 0;
  });
}

const tableOf = (frame: Visit, visits: readonly Visit[]): string =>
  [
    `requests of the frame: ${[...frame.requests, WORKSPACES].join(', ')}`,
    ...visits.map(({ path, requests, ms }) => {
      const words = requests.map((request) => request.slice(0, 40)).join(', ');
      return `${requests.length} requests ${String(ms).padStart(6)} ms  ${path.slice(0, 40).padEnd(40)} ${words}`;
    }),
  ].join('\n');

/** Scrolls a list until its last row is in view. Returns the largest number of rows that the document had. */
async function scrollToEnd(page: Page, label: string, rows: number): Promise<number> {
  const list = page.getByRole('region', { name: label, exact: true });
  await list.waitFor();
  let most = 0;
  for (let still = 0, before = ''; still < 5;) {
    await list.evaluate((element: { scrollTo: (x: number, y: number) => void }) => element.scrollTo(0, 1e9));
    await page.waitForTimeout(100);
    const last = list.getByRole('row').last();
    const now = `${await last.getAttribute('aria-rowindex')} ${await last.textContent()}`;
    still = now === before ? still + 1 : 0;
    before = now;
    most = Math.max(most, await list.getByRole('row').count());
  }
  const index = await list.getByRole('row').last().getAttribute('aria-rowindex');
  expect(Number(index)).toBeGreaterThanOrEqual(rows);
  return most;
}
