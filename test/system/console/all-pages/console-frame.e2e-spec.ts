import type { Page } from 'playwright-core';
import {
  describeInChromium,
  startConsoleStage,
  type ConsolePage,
  type ConsoleStage,
} from '../../../support/console/console-stage.js';
import { eventually } from '../../../support/eventually.js';
import { TEST_MANAGEMENT_KEY } from '../../../support/services/test-service.js';

const CHAT = { json: { model: 'builtin/eliza', messages: [{ role: 'user', content: 'Hello' }] } };
const SPEECH = { json: { model: 'builtin/flite', input: 'Hello from the console', voice: 'slt' } };

/** The 24 hours of a day, and the current hour. */
const DAY_BUCKETS = 25;

describeInChromium('the console', () => {
  let stage: ConsoleStage;
  let opened: ConsolePage;
  let page: Page;
  let team: string;

  beforeAll(async () => {
    stage = await startConsoleStage({ env: { INTERN_RUNTIME: 'none' } });
    const { management, standard } = stage.service;
    team = (await management.post('/workspaces', { json: { name: 'Team', slug: 'team' } })).json.data.id;
    const created = await management.post('/keys', { json: { name: 'Key of the team', workspace_id: team } });
    await stage.service.as(created.json.key).post('/audio/speech', SPEECH);
    await standard.post('/chat/completions', CHAT);
    await eventually(async () => {
      expect((await management.get('/generations')).json.data).toHaveLength(2);
    });
    opened = await stage.open({ timezoneId: 'Europe/Berlin', viewport: { width: 1440, height: 900 } });
    page = opened.page;
  }, 180_000);
  afterAll(() => stage.stop());
  afterEach(() => expect(opened.takeFaults()).toEqual([]));

  const row = (text: string) => page.getByRole('row').filter({ hasText: text });
  const figure = (name: string) =>
    page
      .locator('dl > *')
      .filter({ has: page.getByText(name, { exact: true }) })
      .locator('dd');
  const chooseWorkspace = async (name: string): Promise<void> => {
    await page.getByRole('combobox', { name: 'Workspace' }).click();
    await page.getByRole('option', { name, exact: true }).click();
  };

  it('filters all pages by a workspace, which is kept in the URL', async () => {
    await opened.goto('/');
    await figure('Requests').getByText('2', { exact: true }).waitFor();
    await chooseWorkspace('Team');
    await figure('Requests').getByText('1', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'builtin/flite' }).waitFor();
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Keys', exact: true }).click();
    await row('Key of the team').waitFor();
    expect(await row('Bootstrap API key').count()).toBe(0);
    expect(new URL(page.url()).searchParams.get('workspace')).toBe(team);
    await page.reload();
    await row('Key of the team').waitFor();
    await chooseWorkspace('All workspaces');
    await row('Bootstrap API key').waitFor();
    expect(new URL(page.url()).searchParams.has('workspace')).toBe(false);
  });

  it('has a custom range of days, which other pages keep', async () => {
    await opened.goto('/');
    await page.getByRole('button', { name: /^Time range/ }).click();
    await page.getByLabel('First day').fill('2020-02-01');
    await page.getByLabel('Last day').fill('2020-02-03');
    await page.getByRole('button', { name: 'Show these days' }).click();
    await page.getByText('No calls in this time', { exact: true }).waitFor();
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Usage', exact: true }).click();
    await page.getByRole('button', { name: 'Time range: 2020-02-01 to 2020-02-03' }).waitFor();
    await page.getByRole('button', { name: /^Time range/ }).click();
    await page.getByRole('button', { name: 'Last 30 days' }).click();
    await row('Total').or(page.getByRole('row').nth(1)).first().waitFor();
    expect(new URL(page.url()).searchParams.has('from')).toBe(false);
  });

  it('shows times in local time or in UTC, and names the zone', async () => {
    await opened.goto('/credits');
    await page.getByRole('columnheader', { name: /^Time \((GMT\+[12]|CES?T)\)/ }).waitFor();
    await page.getByRole('button', { name: 'Session', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Times in UTC' }).click();
    await page.getByRole('columnheader', { name: 'Time (UTC)' }).waitFor();
    await page.reload();
    await page.getByRole('columnheader', { name: 'Time (UTC)' }).waitFor();
    await page.getByRole('button', { name: 'Session', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Times in local time' }).click();
    await page.getByRole('columnheader', { name: /^Time \((GMT\+[12]|CES?T)\)/ }).waitFor();
  });

  it.each([
    ['audi', 'Audit', 'Audit'],
    ['key of the', 'Key of the team', 'Key of the team'],
    ['gpt-4o-mini-tr', 'openai/gpt-4o-mini-transcribe', 'OpenAI: GPT-4o mini Transcribe'],
  ])('goes to the page that is typed after Ctrl+K: %s', async (typed, found, heading) => {
    await opened.goto('/');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Go to' }).fill(typed);
    await page.getByRole('option', { name: found }).first().waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
  });

  it('goes to a call by its id', async () => {
    const [call] = (await stage.service.management.get('/generations')).json.data;
    await opened.goto('/');
    await page.getByRole('button', { name: 'Go to a page, key, model or call' }).click();
    await page.getByRole('combobox', { name: 'Go to' }).fill(call.id);
    await page.getByRole('option', { name: call.id }).click();
    await page.getByRole('heading', { name: 'Call', level: 1 }).waitFor();
  });

  it('reloads the figures on request', async () => {
    await opened.goto('/');
    await figure('Requests').getByText('2', { exact: true }).waitFor();
    await stage.service.standard.post('/chat/completions', CHAT);
    await eventually(async () => {
      const query = { json: { metrics: ['request_count'] } };
      const [row] = (await stage.service.management.post('/analytics/query', query)).json.data.data;
      expect(row.request_count).toBe(3);
    }, 30_000);
    await page.getByRole('button', { name: 'Refresh' }).click();
    await figure('Requests').getByText('3', { exact: true }).waitFor();
  });

  it('opens the calls of a bucket of a chart with a click', async () => {
    await opened.goto('/?range=24h');
    const chart = page.getByRole('img', { name: /^Requests per hour/ }).locator('.u-over');
    const box = (await chart.boundingBox())!;
    await chart.click({ position: { x: box.width * (1 - 0.5 / DAY_BUCKETS), y: box.height / 2 } });
    await page.getByRole('heading', { name: 'Calls', level: 1 }).waitFor();
    expect(new URL(page.url()).searchParams.get('from')).toMatch(/T\d\d:00$/);
    await row('builtin/eliza').first().waitFor();
  });

  it('has a page for each workspace and for each member, which shows their requests', async () => {
    await opened.goto('/workspaces');
    await row('team').getByRole('link', { name: 'Team', exact: true }).click();
    await page.getByRole('heading', { name: 'Team', level: 1 }).waitFor();
    await figure('Requests').getByText('1', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Key of the team' }).waitFor();
    await page.getByRole('link', { name: 'Its keys' }).click();
    await row('Key of the team').waitFor();
    await opened.goto('/members');
    await page.getByRole('link', { name: 'Owner', exact: true }).click();
    await page.getByRole('heading', { name: 'Owner', level: 1 }).waitFor();
    await figure('Requests').waitFor();
  });

  it('keeps typed text when the session ends, for the same person only', async () => {
    const typing = await stage.open();
    await typing.goto('/keys');
    await typing.page.getByRole('button', { name: 'Create key' }).click();
    const name = typing.page.getByRole('dialog').getByLabel('Name');
    await name.fill('Half typed');
    await typing.page.evaluate(`fetch('/console/session', { method: 'DELETE' })`);
    await typing.page.getByRole('dialog').getByRole('button', { name: 'Create', exact: true }).click();
    await typing.page.getByText('Your session has ended').waitFor();
    expect(await name.isVisible()).toBe(false);
    await typing.page.getByLabel('API key or management key').fill(TEST_MANAGEMENT_KEY);
    await typing.page.getByRole('button', { name: 'Sign in' }).click();
    await name.waitFor();
    expect(await name.inputValue()).toBe('Half typed');
    await typing.context.close();
  });

  it('shows the spend of each month, and how long credits last', async () => {
    await opened.goto('/credits');
    await figure('Lasts until').waitFor();
    const month = new Date().toLocaleString('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' });
    await page.getByRole('table', { name: 'Months' }).getByRole('link', { name: month }).waitFor();
    await page.getByRole('combobox', { name: 'Kind of entry' }).click();
    await page.getByRole('option', { name: 'Grants' }).click();
    await page.getByRole('table', { name: 'Ledger' }).getByText('Grant', { exact: true }).first().waitFor();
    expect(await page.getByRole('table', { name: 'Ledger' }).getByText('Call', { exact: true }).count()).toBe(1);
  });
});
