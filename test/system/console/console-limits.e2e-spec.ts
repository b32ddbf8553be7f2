import { randomUUID } from 'node:crypto';
import { Keyboard } from '../../support/console/keyboard.js';
import type { Page } from 'playwright-core';
import { makeKey, makeWorkspace } from '../../support/api/api-builders.js';
import { COUNTER } from '../../support/console/newcomer.js';
import {
  describeInChromium,
  startConsoleStage,
  type ConsolePage,
  type ConsoleStage,
} from '../../support/console/console-stage.js';

describeInChromium('a person who limits calls, in the console', () => {
  let stage: ConsoleStage;
  let opened: ConsolePage;
  let page: Page;

  beforeAll(async () => {
    stage = await startConsoleStage();
    opened = await stage.open();
    page = opened.page;
    await page.addInitScript(COUNTER);
  }, 180_000);
  afterAll(() => stage.stop());
  afterEach(() => expect(opened.takeFaults()).toEqual([]));

  const clicks = () => page.evaluate<number>('counted.clicks');

  it('limits the concurrent calls of a key in four clicks', async () => {
    const { hash } = await makeKey(stage.service.management, { name: 'Batch' });
    await opened.goto('/');
    await page.getByRole('link', { name: 'Keys', exact: true }).click();
    await page.getByRole('link', { name: 'Batch' }).click();
    const settings = page.getByRole('region', { name: 'Settings' });
    await settings.getByLabel('Calls at once').first().click();
    await page.keyboard.type('10');
    await settings.getByRole('button', { name: 'Save' }).click();
    await settings.getByText('Saved').waitFor();

    expect(await clicks()).toBe(4);
    expect((await stage.service.management.get(`/keys/${hash}/settings`)).json.data.max_concurrent).toBe(10);
  });

  it('raises the limit of a key for three days in four clicks, and ends the raise', async () => {
    const name = `Nearly full ${randomUUID()}`;
    await makeKey(stage.service.management, { name, limit: 12 });
    await opened.goto('/');
    await page.getByRole('link', { name: 'Keys', exact: true }).click();
    await page.getByRole('link', { name }).click();
    await page.getByRole('button', { name: `Raise ${name}` }).click();
    await new Keyboard(page).has('Raise by, USD');
    await page.keyboard.type('3');
    await page.getByText('The limit is $15.00 until').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Raise', exact: true }).click();
    const limit = page.getByRole('row', { name: /^Limit/ });
    await limit.getByText(/^\$15\.00 left/).waitFor();
    expect(await clicks()).toBe(4);

    await page.getByRole('button', { name: `End the raise of ${name}` }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'End the raise' }).click();
    await limit.getByText(/^\$12\.00 left/).waitFor();
  });

  it('sets the limits of a key, of its models and of each of its end users', async () => {
    const { hash } = await makeKey(stage.service.management);
    await opened.goto(`/keys/${hash}`);
    const settings = page.getByRole('region', { name: 'Settings' });
    await settings.getByLabel('Tokens a minute').first().fill('100000');
    await settings.getByLabel('Calls at once').first().fill('10');
    await settings.getByRole('group', { name: 'Each end user' }).getByLabel('Calls at once').fill('2');
    await settings.getByLabel('Models with limits of their own').fill('builtin/eliza');
    await settings.getByLabel('Models with limits of their own').press('Enter');
    await settings.getByRole('group', { name: 'builtin/eliza' }).getByLabel('Tokens a minute').fill('500');
    await settings.getByLabel('Calls of one session').fill('7');
    await settings.getByLabel('Spend of one session, USD').fill('2.5');
    await settings.getByRole('switch', { name: /Trust the headers/ }).click();
    await settings.getByRole('button', { name: 'Save' }).click();
    await settings.getByText('Saved').waitFor();
    expect((await stage.service.management.get(`/keys/${hash}/settings`)).json.data).toMatchObject({
      tokens_per_minute: 100_000,
      max_concurrent: 10,
      models: { 'builtin/eliza': { requests_per_minute: null, tokens_per_minute: 500, max_concurrent: null } },
      each_end_user: { requests_per_minute: null, tokens_per_minute: null, max_concurrent: 2 },
      session_max_calls: 7,
      session_limit_usd: 2.5,
      trust_end_user_headers: true,
    });
  });

  it('sets the limits of a workspace', async () => {
    const { id } = await makeWorkspace(stage.service.management);
    await opened.goto('/workspaces');
    await page
      .getByRole('button', { name: /^Actions of/ })
      .last()
      .click();
    await page.getByRole('menuitem', { name: /^Limits of/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Requests a minute').first().fill('600');
    await dialog.getByLabel('Tokens a minute').first().fill('1000000');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Saved').waitFor();
    expect((await stage.service.management.get(`/workspaces/${id}/settings`)).json.data).toMatchObject({
      requests_per_minute: 600,
      tokens_per_minute: 1_000_000,
      max_concurrent: null,
    });
  });

  it('edits and deletes a workspace with the menu of its row, and the focus returns to the menu', async () => {
    await makeWorkspace(stage.service.management, { name: 'Research', slug: 'research' });
    await opened.goto('/workspaces');
    const keys = new Keyboard(page);
    const row = page.getByRole('row').filter({ hasText: 'Research' });
    const menu = 'Actions of Research';
    await keys.press(menu);
    await keys.waitForMenu();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
    await keys.has(menu);
    await page.keyboard.press('Enter');
    await keys.waitForMenu();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await keys.has('Edit Research');
    await page.keyboard.press('Enter');
    await keys.fill('Description', 'Ours');
    await page.keyboard.press('Enter');
    await row.getByText('Ours').waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await keys.has(menu);
    await page.keyboard.press('Enter');
    await keys.waitForMenu();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('End');
    await keys.has('Delete Research');
    await page.keyboard.press('Enter');
    await keys.has('Delete');
    await page.keyboard.press('Enter');
    await row.waitFor({ state: 'detached' });
    expect(keys.invisible).toEqual([]);
  });
});
