import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { makeKey, makeWorkspace, type MadeKey } from '../../support/api/api-builders.js';
import { aTextEndpoint, HELLO } from '../../support/calls/text-stage.js';
import { teach } from '../../support/catalogue/test-catalogue.js';
import { axeFindings } from '../../support/console/axe-findings.js';
import {
  describeInChromium,
  startConsoleStage,
  type ConsolePage,
  type ConsoleStage,
} from '../../support/console/console-stage.js';
import { COUNTER } from '../../support/console/newcomer.js';
import { eventually } from '../../support/eventually.js';
import {
  goodScript,
  startScriptedChatVendor,
  type ScriptedChatVendor,
} from '../../support/vendors/scripted-chat-vendor.js';

const FAILING_KEY = 'sk-of-the-vendor-that-fails-0123456789';
const GOOD_KEY = 'gsk-of-the-vendor-that-works-0123456789';

describeInChromium('a person who looks for a call, in the console', () => {
  let stage: ConsoleStage;
  let opened: ConsolePage;
  let page: Page;
  let vendor: ScriptedChatVendor;
  let bot: MadeKey;

  beforeAll(async () => {
    vendor = await startScriptedChatVendor((call) =>
      call.headers.authorization?.includes(FAILING_KEY)
        ? { status: 500, body: { error: { message: 'Out of order' } } }
        : goodScript(call),
    );
    const env = {
      INTERN_RUNTIME: 'none',
      OPENAI_API_KEY: FAILING_KEY,
      OPENAI_BASE_URL: vendor.baseUrl,
      GROQ_API_KEY: GOOD_KEY,
      GROQ_BASE_URL: vendor.baseUrl,
      RATE_LIMIT_MANAGEMENT: 'off',
    };
    stage = await startConsoleStage({ env });
    const { service } = stage;
    teach(service, {
      'rules/one': [aTextEndpoint('openai')],
      'rules/two': [aTextEndpoint('openai'), aTextEndpoint('groq')],
    });
    const workspace = await makeWorkspace(service.management, { name: 'Support' });
    bot = await makeKey(service.management, { name: 'Support bot', limit: 5, workspace_id: workspace.id });
    const chat = (model: string, more: object = {}) =>
      service.as(bot.key).post('/chat/completions', { json: { model, messages: HELLO, ...more } });
    expect((await chat('rules/one')).status).toBe(502);
    const order = { provider: { order: ['openai', 'groq'] }, session_id: 'talk-1', user: 'customer-7' };
    expect((await chat('rules/two', order)).status).toBe(200);
    for (let at = 0; at < 3; at++) expect((await chat('builtin/eliza')).status).toBe(200);
    await service.standard.post('/chat/completions', { json: { model: 'builtin/eliza', messages: HELLO } });
    await eventually(async () => {
      expect((await service.management.get('/generations')).json.data).toHaveLength(6);
    });
    opened = await stage.open({ viewport: { width: 1440, height: 900 } });
    page = opened.page;
    await page.addInitScript(COUNTER);
  }, 180_000);
  afterAll(async () => {
    await stage.stop();
    await vendor.close();
  });
  afterEach(() => expect(opened.takeFaults()).toEqual([]));

  const rows = () => page.getByRole('table', { name: 'Calls' }).locator('tbody tr[aria-rowindex]');
  const row = (text: string) => page.getByRole('row').filter({ hasText: text });
  const clicks = () => page.evaluate<number>('counted.clicks');
  const addFilter = async (name: string): Promise<void> => {
    await page.getByRole('button', { name: '+ Add filter' }).click();
    await page.getByRole('menuitem', { name, exact: true }).click();
  };
  const saved = async (button: string): Promise<string> => {
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: button }).click();
    return readFile(await (await downloading).path(), 'utf8');
  };

  it('finds out why a call failed with three clicks from the overview', async () => {
    await opened.goto('/');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.getByRole('link', { name: 'Calls', exact: true }).click();
    await page.getByText('Failed', { exact: true }).click();
    await row('rules/one').getByRole('link').click();
    const alert = page.getByRole('alert').filter({ hasText: 'The provider failed to answer this request' });
    await alert.getByText('provider_failed').waitFor();
    await alert.getByText('Look at the attempts below.').waitFor();
    expect(await clicks()).toBe(3);
  });

  it('sees the attempts of a call on a timeline, and its key, workspace and session', async () => {
    await opened.goto('/calls?model=rules%2Ftwo');
    await row('rules/two').getByRole('link').click();
    const attempts = page.getByRole('table', { name: 'Attempts' }).locator('tbody tr');
    await attempts.nth(1).waitFor();
    expect(await attempts.nth(0).textContent()).toMatch(/openai.*Error 500.*0 ms.*the provider failed to answer/i);
    expect(await attempts.nth(1).textContent()).toMatch(/groq.*OK 200/i);
    const bars = attempts.locator('[data-part="failed"]');
    expect([await bars.count(), await attempts.nth(0).locator('[data-part="failed"]').count()]).toEqual([1, 1]);
    await row('Key').getByRole('link', { name: 'Support bot' }).waitFor();
    await row('Workspace').getByText('Support', { exact: true }).waitFor();
    expect(await page.getByRole('row').filter({ hasText: 'Reused response of' }).count()).toBe(0);
    expect(await page.getByRole('table', { name: 'What' }).getByText('–', { exact: true }).count()).toBe(0);
    await row('Session').getByRole('link', { name: 'talk-1' }).click();
    await page.waitForURL(/session=talk-1/);
    await rows().first().waitFor();
    expect(await rows().count()).toBe(1);
  });

  it('filters by a key of any workspace, which the API finds by its name, and removes the filter', async () => {
    await opened.goto('/calls');
    await eventually(async () => expect(await rows().count()).toBe(6));
    await addFilter('Key');
    await page.getByRole('combobox', { name: 'Key' }).fill('support b');
    await page.getByRole('option', { name: /^Support bot/ }).click();
    await page.waitForURL(new RegExp(`key=${bot.hash}`));
    await eventually(async () => expect(await rows().count()).toBe(5));
    await page.getByText('5 calls, 1 failed').waitFor();
    await page.getByRole('button', { name: 'Key: Support bot' }).waitFor();
    await page.getByRole('button', { name: 'Remove the filter Key' }).click();
    await eventually(async () => expect(await rows().count()).toBe(6));
  });

  it('filters by every other filter of the API', async () => {
    for (const [query, found] of [
      ['model=builtin%2Feliza', 4],
      ['provider=groq', 1],
      ['code=502', 1],
      ['kind=chat', 6],
      ['kind=image', 0],
      ['user=customer-7', 1],
      ['session=talk-1', 1],
      ['status=ok', 5],
    ] as const) {
      await opened.goto(`/calls?${query}`);
      if (found === 0) await page.getByText('No calls match.').waitFor();
      else await eventually(async () => expect([query, await rows().count()]).toEqual([query, found]));
    }
  });

  it('chooses a called model from the suggestions', async () => {
    await opened.goto('/calls');
    await addFilter('Model');
    await page.getByRole('option', { name: 'rules/two' }).click();
    await page.waitForURL(/model=rules/);
    await eventually(async () => expect(await rows().count()).toBe(1));
  });

  it('goes to a call by its id', async () => {
    const [call] = (await stage.service.management.get('/generations?limit=1')).json.data;
    await opened.goto('/calls');
    await page.getByRole('textbox', { name: 'Call id' }).fill('something');
    await page.keyboard.press('Enter');
    await page.getByText('The id of a call begins with gen-').waitFor();
    await page.getByRole('textbox', { name: 'Call id' }).fill(` ${call.id} `);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Call', exact: true }).waitFor();
    expect(page.url()).toContain(call.id);
  });

  it('narrows the time range to the day, hour and minute of a bar, and shows the calls in each bar', async () => {
    await opened.goto('/calls');
    const bar = page.getByRole('button', { name: /: [1-6] calls?, \d failed$/ });
    for (const [granularity, ms] of [
      ['day', 86_400_000],
      ['hour', 3_600_000],
    ] as const) {
      await page.getByText(`choose a bar to see its ${granularity}`).waitFor();
      await bar.last().click();
      await page.getByText(`choose a bar to see its ${granularity}`).waitFor({ state: 'detached' });
      const { searchParams } = new URL(page.url());
      const [from, to] = ['from', 'to'].map((name) => Date.parse(searchParams.get(name)!));
      expect(to! - from!).toBe(ms);
    }
    await page.getByText('per minute', { exact: true }).waitFor();
    expect(await bar.last().isDisabled()).toBe(true);
  });

  it('chooses the columns, which are kept in the browser', async () => {
    await opened.goto('/calls');
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('checkbox', { name: 'End user' }).click();
    await page.getByRole('checkbox', { name: 'Prompt' }).click();
    await page.reload();
    await page.getByRole('columnheader', { name: 'End user' }).waitFor();
    expect(await page.getByRole('columnheader', { name: 'Prompt' }).count()).toBe(0);
  });

  it("exports the month's calls with names in four clicks", async () => {
    await opened.goto('/');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.getByRole('link', { name: 'Calls', exact: true }).click();
    await page.getByRole('button', { name: /Last 7 days/ }).click();
    await page.getByText('This month', { exact: true }).click();
    await page.waitForURL(/range=month/);
    const file = await saved('Export CSV');
    const [header, ...lines] = file.trim().split('\r\n');
    expect(header).toContain('api_key_name');
    expect(lines).toHaveLength(6);
    expect(lines.filter((line) => line.includes('Support bot') && line.includes(',Support,'))).toHaveLength(5);
    await page.getByText('6 rows saved').waitFor();
    expect(await clicks()).toBe(4);
  });

  it('gets the names for all rows with at most two requests, and reads no list of keys', async () => {
    const paths: string[] = [];
    const note = (request: { url(): string }): void => void paths.push(new URL(request.url()).pathname);
    page.on('request', note);
    await opened.goto('/calls');
    await row('Support bot').first().waitFor();
    page.off('request', note);
    expect(paths.filter((path) => path.endsWith('/names')).length).toBeLessThanOrEqual(2);
    expect(paths.filter((path) => path.endsWith('/api/v1/keys'))).toEqual([]);
  });

  it('sees the name of a deleted key, which is marked as deleted', async () => {
    const { hash, key } = await makeKey(stage.service.management, { name: 'Short-lived' });
    await stage.service.as(key).post('/chat/completions', { json: { model: 'builtin/eliza', messages: HELLO } });
    await stage.service.management.delete(`/keys/${hash}`);
    await eventually(async () => {
      await opened.goto(`/calls?key=${hash}`);
      await row('Short-lived (deleted)').waitFor({ timeout: 10_000 });
    }, 40_000);
  });

  it.each(['light', 'dark'] as const)('finds no accessibility fault in an open filter, %s', async (colorScheme) => {
    await page.emulateMedia({ colorScheme });
    await opened.goto('/calls?status=ok&model=builtin%2Feliza');
    await rows().first().waitFor();
    await addFilter('Person');
    await page.getByRole('option').first().waitFor();
    expect(await axeFindings(page)).toEqual([]);
  });
});
