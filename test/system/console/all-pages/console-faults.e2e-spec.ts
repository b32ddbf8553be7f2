import { chromium, type Page, type Route } from 'playwright-core';
import { CHROMIUM } from '../../../support/console/chromium.js';
import { consolePaths } from '../../../support/console/console-routes.js';
import {
  describeInChromium,
  startConsoleStage,
  type ConsolePage,
  type ConsoleStage,
} from '../../../support/console/console-stage.js';
import { MAX_LAYOUT_SHIFT, OBSERVE_SHIFTS } from '../../../support/console/page-walk.js';
import { LONG_TESTS } from '../../../support/long-tests.js';
import { TEST_MANAGEMENT_KEY } from '../../../support/services/test-service.js';

const REQUEST_ID = 'req-of-the-failed-read';
const FAULT = {
  status: 500,
  headers: { 'x-request-id': REQUEST_ID },
  json: { error: { code: 500, message: 'Something in the service failed.' } },
};
/** Errors that the browser itself logs for a failed request. */
const OF_THE_NETWORK = /^Failed to load resource: /;
const RAW = /Failed to fetch|TypeError|undefined|\[object /;
const SLOW_MS = 3_000;
const STATES = 3;

type Answer = (route: Route) => Promise<unknown>;

/** Controls the responses to the requests of pages. */
class Reads {
  answer: Answer | undefined;

  /** Intercepts the requests of a page, except requests for sessions, without which no page is shown. */
  async take(page: Page): Promise<void> {
    await page.route(
      (url) => /^\/(console\/api\/|api\/|healthz|readyz)/.test(url.pathname),
      (route) => (this.answer ? this.answer(route) : route.fallback()),
    );
  }
}

describeInChromium('the console when something fails', () => {
  let stage: ConsoleStage;
  let paths: readonly string[];
  beforeAll(async () => {
    stage = await startConsoleStage({ env: { INTERN_RUNTIME: 'none' } });
    paths = await consolePaths(stage.service);
  }, 180_000);
  afterAll(() => stage.stop());

  /** In a short run, each page is tested in only one state. */
  const pathsOf = (state: number): readonly string[] => paths.filter((_, at) => LONG_TESTS || at % STATES === state);
  const opened = async (): Promise<ConsolePage & { readonly reads: Reads }> => {
    const reads = new Reads();
    const open = await stage.open();
    await open.page.addInitScript(OBSERVE_SHIFTS);
    await reads.take(open.page);
    return { ...open, reads };
  };
  const alert = (page: Page) =>
    page
      .locator('#page')
      .getByRole('alert')
      .filter({ hasText: /^Error/ });
  const hasLoaded = async (page: Page): Promise<boolean> =>
    (await page.getByLabel('Loading', { exact: true }).count()) === 0;
  const textOf = (page: Page): Promise<string> => page.locator('#page').innerText();
  const headingOf = (page: Page): Promise<string | null> => page.getByRole('heading', { level: 1 }).textContent();
  /** Advances the clock of the page, for example past the pauses before retries, until a condition holds. */
  const passTime = async (page: Page, isEnough: () => Promise<boolean>): Promise<void> => {
    for (let turns = 0; turns < 200 && !(await isEnough()); turns++) {
      await page.clock.fastForward(3_000);
      await page.waitForTimeout(50);
    }
  };
  const unexpected = ({ faults }: ConsolePage): string[] =>
    faults.errors.splice(0).filter((error) => !OF_THE_NETWORK.test(error));

  it('shows one error on every page, with the id of the request, and can load again', async () => {
    const open = await opened();
    const { page, goto, reads, context } = open;
    await page.clock.install();
    const findings: string[] = [];
    for (const path of pathsOf(0)) {
      reads.answer = (route) => route.fulfill(FAULT);
      await goto(path);
      await page.locator('#page').waitFor();
      await passTime(page, async () => (await alert(page).count()) > 0);
      await passTime(page, () => hasLoaded(page));
      const text = await textOf(page);
      const alerts = await alert(page).count();
      if (alerts !== 1) findings.push(`${path} has ${alerts} alerts`);
      for (const part of ['Error 500', REQUEST_ID, 'Try again'])
        if (!text.includes(part)) findings.push(`${path} does not say ${part}`);
      if (RAW.test(text)) findings.push(`${path} says ${RAW.exec(text)![0]}`);
      // A normal click may be so slow that the page recovers by itself before it.
      await page.getByRole('button', { name: 'Try again' }).first().hover();
      await page.mouse.down();
      reads.answer = undefined;
      await page.mouse.up();
      await page.getByRole('heading', { level: 1 }).waitFor();
      await passTime(page, async () => (await alert(page).count()) === 0);
      if ((await alert(page).count()) > 0) findings.push(`${path} keeps its alert`);
      findings.push(...unexpected(open).map((error) => `${path} ${error}`));
    }
    expect(findings).toEqual([]);
    await context.close();
  }, 300_000);

  it('keeps the contents of every page while the service is away, dimmed, and recovers by itself', async () => {
    const open = await opened();
    const { page, goto, reads, context } = open;
    await page.clock.install();
    const findings: string[] = [];
    for (const path of pathsOf(1)) {
      reads.answer = undefined;
      await goto(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.waitForLoadState('networkidle');
      await passTime(page, () => hasLoaded(page));
      const before = [await headingOf(page), await page.getByRole('row').count()];
      reads.answer = (route) => route.abort('connectionrefused');
      await page.clock.fastForward(70_000);
      await page.evaluate(`window.dispatchEvent(new Event('visibilitychange'))`);
      await passTime(page, async () => (await alert(page).count()) > 0);
      const text = await textOf(page);
      const alerts = await alert(page).count();
      if (alerts !== 1) findings.push(`${path} has ${alerts} alerts`);
      if (!text.includes('The service cannot be reached.')) findings.push(`${path} does not say what failed`);
      if (RAW.test(text)) findings.push(`${path} says ${RAW.exec(text)![0]}`);
      const after = [await headingOf(page), await page.getByRole('row').count()];
      if (String(after) !== String(before)) findings.push(`${path} showed ${before.join()}, then ${after.join()}`);
      if ((await page.locator('#page [data-old]').count()) === 0) findings.push(`${path} is not dimmed`);
      reads.answer = undefined;
      await passTime(page, async () => (await alert(page).count()) === 0);
      if ((await alert(page).count()) > 0) findings.push(`${path} does not recover`);
      findings.push(...unexpected(open).map((error) => `${path} ${error}`));
    }
    expect(findings).toEqual([]);
    await context.close();
  }, 300_000);

  it('shows a placeholder on every page for slow contents, without a layout shift when they come', async () => {
    const open = await opened();
    const { page, goto, reads, context } = open;
    const findings: string[] = [];
    for (const path of pathsOf(2)) {
      const { promise, resolve } = Promise.withResolvers<void>();
      reads.answer = async (route) => {
        await promise;
        return route.fallback();
      };
      await goto(path);
      const started = page.getByRole('heading', { level: 1 }).or(page.getByLabel('Loading', { exact: true }));
      await started.first().waitFor();
      await page.waitForTimeout(200);
      if ((await alert(page).count()) > 0) findings.push(`${path} calls it an error`);
      resolve();
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.waitForLoadState('networkidle');
      const shift = await page.evaluate<number>('layoutShift');
      if (shift >= MAX_LAYOUT_SHIFT) findings.push(`${path} shifts by ${shift.toFixed(3)}`);
      findings.push(...unexpected(open).map((error) => `${path} ${error}`));
    }
    expect(findings).toEqual([]);
    await context.close();
  }, 300_000);

  it('sends a write only once if a second click comes before a slow response', async () => {
    const { page, goto, reads, context } = await opened();
    let writes = 0;
    reads.answer = async (route) => {
      if (route.request().method() === 'POST' && route.request().url().endsWith('/keys')) {
        writes++;
        await new Promise((resolve) => setTimeout(resolve, SLOW_MS));
      }
      return route.fallback();
    };
    await goto('/keys');
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Once');
    await page.getByRole('dialog').getByRole('button', { name: 'Create', exact: true }).dblclick();
    await page.getByRole('dialog').getByLabel('Name').press('Enter');
    await page
      .getByText(/^sk-gh-v1-/)
      .first()
      .waitFor();
    expect(writes).toBe(1);
    await context.close();
  });

  it('signs out in all tabs, which keep the typed text until the next sign-in in one of them', async () => {
    const first = await stage.open();
    await first.goto('/');
    const second = await first.context.newPage();
    await second.goto(`${stage.service.origin}/console/keys`);
    await second.getByRole('button', { name: 'Create key' }).click();
    await second.getByRole('dialog').getByLabel('Name').fill('Half typed');
    await first.page.getByRole('button', { name: 'Session', exact: true }).click();
    await first.page.getByRole('menuitem', { name: 'Sign out' }).click();
    await second.getByText('Your session has ended').waitFor();
    await second.getByLabel('API key or management key').fill(TEST_MANAGEMENT_KEY);
    await second.getByRole('button', { name: 'Sign in' }).click();
    await second.getByRole('dialog').getByLabel('Name').waitFor();
    expect(await second.getByRole('dialog').getByLabel('Name').inputValue()).toBe('Half typed');
    await first.page.getByRole('heading', { name: 'Overview' }).waitFor();
    await first.context.close();
  });

  it('works over plain HTTP with a host name of the local network', async () => {
    const { port } = new URL(stage.service.origin);
    const args = ['--no-sandbox', '--disable-gpu', '--host-resolver-rules=MAP gatehouse.test 127.0.0.1'];
    const browser = await chromium.launch({ executablePath: CHROMIUM, args });
    try {
      const page = await browser.newPage();
      const errors: string[] = [];
      page.on('pageerror', ({ message }) => errors.push(message));
      await page.goto(`http://gatehouse.test:${port}/console/keys`);
      await page.getByLabel('API key or management key').fill(TEST_MANAGEMENT_KEY);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('heading', { name: 'Keys', level: 1 }).waitFor();
      const missing = '[isSecureContext, typeof crypto.subtle, typeof navigator.clipboard]';
      expect(await page.evaluate(missing)).toEqual([false, 'undefined', 'undefined']);
      expect(await page.context().cookies()).toEqual([
        expect.objectContaining({ domain: 'gatehouse.test', secure: false, httpOnly: true, sameSite: 'Strict' }),
      ]);
      await page.getByRole('button', { name: 'Create key' }).click();
      await page.getByRole('dialog').getByLabel('Name').fill('Over HTTP');
      await page.getByRole('dialog').getByRole('button', { name: 'Create', exact: true }).click();
      const secret = await page.getByRole('region', { name: 'Key', exact: true }).textContent();
      await page.getByRole('dialog').getByRole('button', { name: /^Copy/ }).first().click();
      await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click();
      await page.getByLabel('Search').click();
      await page.keyboard.press('Control+v');
      expect(await page.getByLabel('Search').inputValue()).toBe(secret);
      await page.getByRole('button', { name: 'Session', exact: true }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
      await page.getByRole('button', { name: 'Sign in' }).waitFor();
      expect(errors).toEqual([]);
    } finally {
      await browser.close();
    }
  });
});
