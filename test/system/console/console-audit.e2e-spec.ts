import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { makeKey, makeWorkspace, type MadeKey } from '../../support/api/api-builders.js';
import { axeFindings } from '../../support/console/axe-findings.js';
import {
  describeInChromium,
  startConsoleStage,
  type ConsolePage,
  type ConsoleStage,
} from '../../support/console/console-stage.js';
import { COUNTER } from '../../support/console/newcomer.js';
import { makePerson } from '../../support/members/account-people.js';

describeInChromium('a person who looks for the author of a change, in the console', () => {
  let stage: ConsoleStage;
  let opened: ConsolePage;
  let page: Page;
  let bot: MadeKey;

  beforeAll(async () => {
    stage = await startConsoleStage({ env: { INTERN_RUNTIME: 'none', RATE_LIMIT_MANAGEMENT: 'off' } });
    const { management } = stage.service;
    const workspace = await makeWorkspace(management, { name: 'Support' });
    bot = await makeKey(management, { name: 'Support bot', limit: 5, workspace_id: workspace.id });
    const ada = await makePerson(stage.service, 'admin', 'Ada');
    const changed = await ada.browser.send('PATCH', `/console/api/v1/keys/${bot.hash}`, { json: { limit: 500 } });
    expect(changed.status).toBe(200);
    await management.post('/budgets', { json: { scope: { model: 'builtin/eliza' }, interval: 'daily', limit_usd: 2 } });
    opened = await stage.open({ viewport: { width: 1440, height: 900 } });
    page = opened.page;
    await page.addInitScript(COUNTER);
  }, 180_000);
  afterAll(() => stage.stop());
  afterEach(() => expect(opened.takeFaults()).toEqual([]));

  const row = (text: string) => page.getByRole('row').filter({ hasText: text });
  const rows = () => page.getByRole('table', { name: 'Audit' }).locator('tbody tr[aria-rowindex]');
  const clicks = () => page.evaluate<number>('counted.clicks');
  const addFilter = async (name: string): Promise<void> => {
    await page.getByRole('button', { name: '+ Add filter' }).click();
    await page.getByRole('menuitem', { name, exact: true }).click();
  };

  it('reads who changed a limit, with the old and the new value, by one click from the overview', async () => {
    await opened.goto('/');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.getByRole('link', { name: 'Audit', exact: true }).click();
    const entry = row('limit: $5.00 → $500.00');
    await entry.getByRole('link', { name: 'Support bot' }).waitFor();
    expect(await entry.textContent()).toMatch(/Ada.*changed.*key.*Support bot/);
    expect(await clicks()).toBe(1);
  });

  it('opens an entry with the settings before and after, its address and its subject', async () => {
    await opened.goto('/audit');
    await row('limit: $5.00 → $500.00').getByRole('button').click();
    const details = page.getByRole('dialog', { name: 'Ada changed a key' });
    const settings = details.getByRole('table', { name: 'Settings' });
    expect(await settings.getByRole('row').nth(1).textContent()).toBe('limit$5.00$500.00');
    await details.getByRole('row').filter({ hasText: 'From the address' }).getByText('127.0.0.1').waitFor();
    await details.getByRole('link', { name: 'Support bot' }).click();
    await page.getByRole('heading', { name: 'Support bot' }).waitFor();
  });

  it('filters by action, kind, person, acting key, actor and subject', async () => {
    await opened.goto('/audit');
    await addFilter('Person');
    await page.getByRole('combobox', { name: 'Person' }).fill('ada');
    await page.getByRole('option', { name: 'Ada' }).click();
    await page.waitForURL(/person=/);
    await addFilter('Action');
    await page.getByRole('combobox', { name: 'Action' }).click();
    await page.getByRole('option', { name: 'changed', exact: true }).click();
    await page.waitForURL(/action=update/);
    await row('limit: $5.00 → $500.00').waitFor();
    expect(await rows().count()).toBe(1);
    await page.getByRole('button', { name: 'Clear all' }).click();
    await row('limit: none → $2.00').waitFor();
    for (const [query, text] of [
      ['kind=budget', 'limit: none → $2.00'],
      [`subject=${bot.hash}&kind=api_key&action=create`, 'limit: none → $5.00'],
    ] as const) {
      await opened.goto(`/audit?${query}`);
      await row(text).waitFor();
      expect([query, await rows().count()]).toEqual([query, 1]);
    }
    await opened.goto('/audit?action=backup');
    await page.getByText('No entry matches.').waitFor();
  });

  it('exports the entries with names and values', async () => {
    await opened.goto('/audit?kind=api_key');
    await row('limit: $5.00 → $500.00').waitFor();
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export CSV' }).click();
    const file = await readFile(await (await downloading).path(), 'utf8');
    const line = file.split('\r\n').find((each) => each.includes('limit: $5.00 → $500.00'));
    expect(line).toMatch(/,Ada,update,api_key,Support bot,/);
  });

  it.each(['light', 'dark'] as const)('finds no accessibility fault in an open entry, %s', async (colorScheme) => {
    await page.emulateMedia({ colorScheme });
    await opened.goto('/audit');
    await row('limit: $5.00 → $500.00').getByRole('button').click();
    await page.getByRole('dialog').getByRole('table', { name: 'Settings' }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
  });
});
