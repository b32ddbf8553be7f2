import { chromium, type Browser, type Page } from 'playwright-core';
import { ClickHouseReplicas } from '../../support/analytics/clickhouse-replicas.js';
import { apiClient } from '../../support/api/api-client.js';
import { CHROMIUM } from '../../support/console/chromium.js';
import { consolePaths } from '../../support/console/console-routes.js';
import { describeInChromium } from '../../support/console/console-stage.js';
import { eventually } from '../../support/eventually.js';
import { LONG_TESTS } from '../../support/long-tests.js';
import { ChatLoad } from '../../support/money/chat-load.js';
import { TEST_API_KEY, TEST_MANAGEMENT_KEY } from '../../support/services/test-service.js';
import { TIME_LIMIT_FACTOR } from '../../support/time-limits.js';

const REPLICAS = [0, 1, 2];
const CALLERS = 4;
/** Streams on each replica before the kill. */
const MIN_STREAMS = 10;
/** Longer than the lease of the ClickHouse writer. The killed replica may still hold this lease. */
const FED_WITHIN_MS = 60_000;

describeInChromium('three replicas that read analytics from ClickHouse', () => {
  let replicas: ClickHouseReplicas;
  let browser: Browser;
  let page: Page;
  let paths: readonly string[];
  const errors: string[] = [];
  let answered = 0;

  const originOf = (at: number): string => replicas.services[at]!.origin;
  const managementOf = (at: number) => apiClient(originOf(at), TEST_MANAGEMENT_KEY);

  beforeAll(async () => {
    replicas = await ClickHouseReplicas.start(REPLICAS.length);
    const [link] = /http:\/\/[^\s"]+#code=[\w-]+/.exec(replicas.services[0]!.output())!;
    const standard = apiClient(originOf(0), TEST_API_KEY);
    paths = await consolePaths({ management: managementOf(0), standard });
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] });
    const context = await browser.newContext({ reducedMotion: 'reduce' });
    context.setDefaultTimeout(30_000 * TIME_LIMIT_FACTOR);
    page = await context.newPage();
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
    page.on('pageerror', (error) => errors.push(error.message));
    await page.goto(link);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
  }, 180_000);
  afterAll(async () => {
    await browser?.close();
    await replicas.stop();
  });

  // Restart the killed replica here, not at the end of a test, so that a retry of a test also has all replicas.
  let killed: number | undefined;
  beforeEach(async () => {
    if (killed !== undefined) await replicas.startOne(killed);
    killed = undefined;
  }, 60_000);

  const figure = async (name: string): Promise<string> => {
    const box = page.locator('dl > *').filter({ has: page.getByText(name, { exact: true }) });
    return (await box.locator('dd').first().textContent())!;
  };
  /** Opens a page at a replica. The session is valid at all of them, because its cookie does not name a port. */
  const open = async (at: number, path: string): Promise<void> => {
    await page.goto(`${originOf(at)}/console${path}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await eventually(async () => expect(await page.getByLabel('Loading', { exact: true }).count()).toBe(0), 30_000);
  };
  const recorded = async (): Promise<{ calls: number; cost: number }> => {
    const [row] = await replicas.sql.query<{ calls: number; cost: number }>(
      'select count(*)::int as calls, sum(cost)::float8 / 1e9 as cost from generation',
    );
    return row!;
  };
  const whole = (loads: readonly ChatLoad[]): number[] =>
    loads.map(({ seen }) => seen.filter((one) => one.whole).length);

  it.each(LONG_TESTS ? REPLICAS : [0])(
    'show every page of the console right after replica %i was killed',
    async (victim) => {
      const loads = replicas.services.map(
        ({ origin }, seed) => new ChatLoad(() => origin, TEST_API_KEY, CALLERS, { seed }),
      );
      await eventually(() => Promise.resolve(expect(Math.min(...whole(loads))).toBeGreaterThan(MIN_STREAMS)), 30_000);
      // Leave the page first, so that no page sends requests to the replica that is killed next.
      await page.goto('about:blank');
      errors.length = 0;
      killed = victim;
      await replicas.kill(victim);
      // A long run waits until the lease of the killed writer expires.
      if (!LONG_TESTS) await replicas.expireLease();
      await Promise.all(loads.map((load) => load.stop()));
      answered += whole(loads).reduce((sum, streams) => sum + streams, 0);

      for (const at of REPLICAS.filter((replica) => replica !== victim)) {
        const query = { metrics: ['request_count', 'credits_usage'] };
        await eventually(async () => {
          const { calls, cost } = await recorded();
          expect(calls).toBeGreaterThanOrEqual(answered);
          const { status, json } = await managementOf(at).post('/analytics/query', { json: query });
          expect([status, json.data.data[0].request_count]).toEqual([200, calls]);
          expect(json.data.data[0].credits_usage).toBeCloseTo(cost, 9);
          await open(at, '/');
          expect(await figure('Requests')).toBe(String(calls));
          // The page rounds to four digits.
          expect(Number((await figure('Spend')).replace('$', ''))).toBeCloseTo(cost, 6);
        }, FED_WITHIN_MS);
      }
      const other = (victim + 1) % REPLICAS.length;
      for (const path of paths.filter((_, at) => LONG_TESTS || at % REPLICAS.length === victim)) {
        await open(other, path);
        expect([
          path,
          await page
            .getByRole('alert')
            .filter({ hasText: /^Error/ })
            .allTextContents(),
        ]).toEqual([path, []]);
      }
      expect(errors).toEqual([]);
    },
    300_000,
  );
});
