import type { Page } from 'playwright-core';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeKey, makeWorkspace, type MadeKey } from '../../support/api/api-builders.js';
import {
  describeInChromium,
  startConsoleStage,
  type ConsolePage,
  type ConsoleStage,
} from '../../support/console/console-stage.js';

/** The grace periods. `none` is for a leaked secret. */
const GRACES = ['none', '1 hour', '1 day', '7 days'] as const;

describeInChromium('a secret that the console shows once', () => {
  let stage: ConsoleStage;
  let opened: ConsolePage;
  let page: Page;

  beforeAll(async () => {
    stage = await startConsoleStage({ env: { INTERN_RUNTIME: 'none' } });
    opened = await stage.open();
    page = opened.page;
  }, 180_000);
  afterAll(() => stage.stop());
  afterEach(() => expect(opened.takeFaults()).toEqual([]));

  const dialog = () => page.getByRole('dialog', { name: 'Your new key' });
  const shown = () => dialog().getByRole('region', { name: 'Key', exact: true });
  const done = async (): Promise<void> => {
    await dialog().getByRole('button', { name: 'Done' }).click();
    await dialog().waitFor({ state: 'detached' });
  };
  const statusOf = async (key: string): Promise<number> => (await stage.service.as(key).get('/key')).status;

  async function rotate(made: MadeKey, grace: string): Promise<void> {
    await opened.goto('/keys');
    await page.locator(`a[href$="${made.hash}"]`).click();
    await page.getByRole('button', { name: 'Rotate', exact: true }).click();
    await page.getByRole('radio', { name: grace === GRACES[0] ? /^Yes:/ : /^No:/ }).check();
    if (grace !== GRACES[0]) {
      await page.getByRole('combobox', { name: 'The old secret works for' }).click();
      await page.getByRole('option', { name: grace }).click();
    }
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click();
    await dialog().waitFor();
  }

  it.each(GRACES)('is still shown 3 s after a rotation (grace period: %s)', async (grace) => {
    const made = await makeKey(stage.service.management, { name: `Rotated ${grace}` });
    await rotate(made, grace);
    await sleep(3_000);
    const secret = (await shown().textContent())!;
    expect(secret).toMatch(/^sk-gh-v1-[0-9a-f]{64}$/);
    expect(await statusOf(secret)).toBe(200);
    expect(await statusOf(made.key)).toBe(grace === GRACES[0] ? 401 : 200);
    await done();
    expect(page.url()).not.toContain(made.hash);
    await page.getByRole('heading', { name: `Rotated ${grace}`, level: 1 }).waitFor();
    expect(await page.content()).not.toContain(secret);
  });

  it('stays visible after Escape, after a click outside the dialog and on another page', async () => {
    await rotate(await makeKey(stage.service.management), GRACES[0]);
    await page.keyboard.press('Escape');
    await page.mouse.click(5, 400);
    await page.goBack();
    await page.waitForURL('**/console/keys');
    expect(await shown().textContent()).toMatch(/^sk-gh-v1-/);
    await done();
  });

  it('stays visible if queries fail, and the page keeps the data that it has loaded', async () => {
    const made = await makeKey(stage.service.management, { name: 'Unreachable' });
    await opened.goto(`/keys/${made.hash}`);
    await page.getByRole('button', { name: 'Edit', exact: true }).waitFor();
    await page.route('**/console/api/v1/keys/*', (route) =>
      route.request().method() === 'GET' ? route.abort() : route.continue(),
    );
    await page.getByRole('button', { name: 'Rotate', exact: true }).click();
    await page.getByRole('radio', { name: /^No:/ }).check();
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click();
    await page.getByText('The service cannot be reached.').first().waitFor({ timeout: 20_000 });
    expect(await shown().textContent()).toMatch(/^sk-gh-v1-/);
    await done();
    await page.getByRole('heading', { name: 'Unreachable', level: 1 }).waitFor();
    await page.unroute('**/console/api/v1/keys/*');
    opened.faults.errors.splice(0);
  });

  it('is copied without navigator.clipboard, as over plain HTTP', async () => {
    const plain = await stage.open();
    await plain.context.addInitScript("Object.defineProperty(navigator, 'clipboard', { value: undefined })");
    await plain.goto('/keys');
    const create = plain.page.getByRole('button', { name: 'Create key' });
    await create.click();
    await plain.page.getByLabel('Name').fill('Over HTTP');
    await plain.page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
    const secret = await plain.page.getByRole('region', { name: 'Key', exact: true }).textContent();
    await plain.page.getByRole('button', { name: 'Copy Key' }).click();
    await plain.page.getByRole('button', { name: 'Copied Key' }).waitFor();
    await plain.page.evaluate('document.execCommand = () => false');
    await plain.page.getByRole('button', { name: /Copy Key|Copied Key/ }).click();
    await plain.page.getByText('Press Ctrl+C').waitFor();
    expect(await plain.page.evaluate('document.getSelection().toString()')).toBe(secret);
    await plain.page.getByRole('button', { name: 'Done' }).click();
    await create.click();
    await plain.page.getByLabel('Name').focus();
    await plain.page.keyboard.press('Control+V');
    expect(await plain.page.getByLabel('Name').inputValue()).toBe(secret);
    expect(plain.faults.errors).toEqual([]);
    await plain.context.close();
  });
});

describeInChromium('the console for all workspaces', () => {
  let stage: ConsoleStage;
  beforeAll(async () => {
    stage = await startConsoleStage({ env: { INTERN_RUNTIME: 'none' } });
  }, 180_000);
  afterAll(() => stage.stop());

  it('lists keys, credentials and files of all workspaces, or of the chosen workspace', async () => {
    const { id: workspace_id } = await makeWorkspace(stage.service.management, { name: 'Support bot' });
    await makeKey(stage.service.management, { name: 'Key of support', workspace_id });
    const credential = { provider: 'openai', key: 'sk-of-the-support-bot-0123456789', name: 'Ours', workspace_id };
    await stage.service.management.post('/byok', { json: credential });
    const form = new FormData();
    form.set('file', new File(['Notes'], 'support.txt'));
    await stage.service.management.post(`/files?workspace_id=${workspace_id}`, { body: form });
    const { page, goto, context, faults } = await stage.open();
    for (const [path, name] of [
      ['/keys', 'Key of support'],
      ['/provider-credentials', 'Ours'],
      ['/files', 'support.txt'],
    ] as const) {
      await goto(path);
      await page.getByRole('row').filter({ hasText: name }).getByText('Support bot').waitFor();
      await goto(`${path}?workspace=${workspace_id}`);
      await page.getByRole('row').filter({ hasText: name }).waitFor();
      expect(await page.getByRole('row').count()).toBe(2);
    }
    await goto('/provider-credentials');
    await page.getByRole('button', { name: 'Add credential' }).click();
    await page.getByRole('dialog').getByText('unless the key has include_byok_in_limit').waitFor();
    expect(faults).toEqual({ errors: [], foreignRequests: [] });
    await context.close();
  });

  it('leaves the closed navigation of a phone out of the tab order', async () => {
    const { page, goto, context } = await stage.open({ viewport: { width: 390, height: 800 } });
    await goto('/keys');
    await page.getByRole('heading', { name: 'Keys', level: 1 }).waitFor();
    const focused = async (): Promise<string> => {
      await page.keyboard.press('Tab');
      return page.evaluate<string>("document.activeElement.closest('nav') ? 'navigation' : 'page'");
    };
    const places: string[] = [];
    for (let tabs = 0; tabs < 8; tabs++) places.push(await focused());
    expect(places).not.toContain('navigation');
    await page.getByRole('button', { name: 'Navigation' }).click();
    await page.getByRole('link', { name: 'Usage' }).click();
    await page.getByRole('heading', { name: 'Usage', level: 1 }).waitFor();
    await context.close();
  });
});
