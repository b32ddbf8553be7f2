import type { Page } from 'playwright-core';
import { ENVIRONMENT_KEY, keyOf } from '../../support/api/channel-stage.js';
import { aTextEndpoint, HELLO } from '../../support/calls/text-stage.js';
import { teach } from '../../support/catalogue/test-catalogue.js';
import { axeFindings } from '../../support/console/axe-findings.js';
import { codeFor, firstOwner } from '../../support/console/console-browser.js';
import {
  describeInChromium,
  startConsoleStage,
  type ConsolePage,
  type ConsoleStage,
} from '../../support/console/console-stage.js';
import { eventually } from '../../support/eventually.js';
import { makeMember } from '../../support/money/account-builders.js';
import {
  goodScript,
  startScriptedChatVendor,
  type ScriptedChatVendor,
} from '../../support/vendors/scripted-chat-vendor.js';

const SECOND_KEY = 'sk-second-credential-0123456789-AbCd';
const LOOKS = [
  ['light', 1440],
  ['dark', 1440],
  ['light', 390],
  ['dark', 390],
] as const;

describeInChromium('an operator who looks for faults, in the console', () => {
  let stage: ConsoleStage;
  let vendor: ScriptedChatVendor;
  const opened: ConsolePage[] = [];
  let isDown = false;

  beforeAll(async () => {
    vendor = await startScriptedChatVendor((call) => {
      if (keyOf(call) === SECOND_KEY) return { status: 401, body: { error: { message: 'Incorrect API key.' } } };
      return isDown ? { status: 503, body: { error: { message: 'down' } } } : goodScript(call);
    });
    const env = {
      INTERN_RUNTIME: 'none',
      OPENAI_API_KEY: ENVIRONMENT_KEY,
      OPENAI_BASE_URL: vendor.baseUrl,
      DEEPINFRA_API_KEY: ENVIRONMENT_KEY,
      DEEPINFRA_BASE_URL: vendor.baseUrl,
      GROQ_BASE_URL: vendor.baseUrl,
      BREAKER_FAILURES: '1',
      BREAKER_PAUSE_MS: '120000',
    };
    stage = await startConsoleStage({ env });
    teach(stage.service, { 'rules/one': [aTextEndpoint('openai')], 'rules/two': [aTextEndpoint('deepinfra')] });
  }, 180_000);
  afterAll(async () => {
    await stage.stop();
    await vendor.close();
  });
  afterEach(async () => {
    for (const { takeFaults, context } of opened.splice(0)) {
      expect(takeFaults()).toEqual([]);
      await context.close();
    }
  });

  const open = async (path: string, options: Parameters<ConsoleStage['open']>[0] = {}): Promise<Page> => {
    const one = await stage.open({ viewport: { width: 1440, height: 900 }, ...options });
    opened.push(one);
    await one.goto(path);
    return one.page;
  };
  const chat = (model: string) =>
    stage.service.standard.post('/chat/completions', { json: { model, messages: HELLO } });

  /** Expects that the page is accessible and not wider than the window, in both colour schemes and at both widths. */
  const expectWellMade = async (path: string, ready: string): Promise<void> => {
    for (const [colorScheme, width] of LOOKS) {
      const page = await open(path, { colorScheme, viewport: { width, height: 900 } });
      await page.getByText(ready, { exact: true }).first().waitFor();
      await page.waitForLoadState('networkidle');
      const folder = process.env['SCREENSHOTS'];
      if (folder)
        await page.screenshot({ path: `${folder}${path}-${ready.length}-${colorScheme}-${width}.png`, fullPage: true });
      expect(await axeFindings(page)).toEqual([]);
      expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    }
  };

  it('reads that everything works, and what to do if nothing was called', async () => {
    const page = await open('/health');
    await page.getByText('Everything works', { exact: true }).waitFor();
    await page.getByText('No endpoint was called since the service started.').waitFor();
    await page.getByRole('table', { name: 'What it needs' }).getByText('The database').waitFor();
    await page.getByRole('row', { name: /^Replicas 1 replica$/ }).waitFor();
    await expectWellMade('/health', 'Everything works');
  });

  it('reads first which two endpoints rest and why, and opens the failed calls of one endpoint', async () => {
    for (const model of ['rules/one', 'rules/two']) expect((await chat(model)).status).toBe(200);
    const page = await open('/health');
    const rows = page.getByRole('table', { name: 'Endpoints' }).getByRole('row');
    await rows.filter({ hasText: 'OpenAI' }).getByText('Well').waitFor();
    isDown = true;
    for (const model of ['rules/one', 'rules/two']) expect((await chat(model)).status).toBeGreaterThanOrEqual(500);
    await eventually(async () => {
      const { json } = await stage.service.management.get('/generations?provider=openai');
      expect(json.data).toHaveLength(2);
    });
    await page.getByRole('button', { name: 'Refresh' }).click();
    const problems = page.getByRole('region', { name: 'What does not work' });
    await problems.getByText('2 endpoints rest', { exact: true }).waitFor();
    const row = rows.filter({ hasText: 'OpenAI' });
    await row.getByText('Rests', { exact: true }).waitFor();
    await row.getByText(/^Status 503, /).waitFor();
    await row.getByText('50 %', { exact: true }).waitFor();
    await row.getByRole('link', { name: 'Failed calls of openai' }).click();
    await page.getByRole('heading', { name: 'Calls', level: 1, exact: true }).waitFor();
    await page.getByRole('table', { name: 'Calls' }).getByText('rules/one').first().waitFor();
    expect(new URL(page.url()).searchParams.get('provider')).toBe('openai');
  });

  it('reads that a channel is refused, in live mode without a click, and opens Channels', async () => {
    isDown = false;
    const page = await open('/health');
    await page.getByText('2 endpoints rest', { exact: true }).waitFor();
    await page.getByRole('switch', { name: 'Live' }).check({ force: true });
    const json = { provider: 'groq', key: SECOND_KEY, name: 'Second' };
    const stored = await stage.service.management.post('/providers/credentials', { json });
    expect(
      (await stage.service.management.post(`/providers/credentials/${stored.json.data.id}/test`, { json: {} })).status,
    ).toBe(200);
    await page.getByText(/^1 channel /).waitFor({ timeout: 30_000 });
    const row = page.getByRole('table', { name: 'Channels' }).getByRole('row').filter({ hasText: 'Groq' });
    await row.getByText('Second', { exact: true }).waitFor();
    await row.getByText('Refused', { exact: true }).waitFor();
    await expectWellMade('/health', '2 endpoints rest');
    await page.getByRole('link', { name: 'Open Channels' }).click();
    await page.getByRole('heading', { name: 'Channels', level: 1, exact: true }).waitFor();
  }, 120_000);

  it('has a page that is not linked for other roles, and that tells them why they cannot read it', async () => {
    const { accountId } = await firstOwner(stage.service);
    const userId = await makeMember(stage.service, { accountId }, { name: 'Dora', role: 'developer' });
    const page = await open(`/#code=${await codeFor(stage.service, { accountId, userId })}`, { isSignedIn: false });
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    expect(await page.getByRole('navigation').getByRole('link', { name: 'Health' }).count()).toBe(0);
    await page.goto(`${stage.service.origin}/console/health`);
    await page.getByText('Your role, developer, does not include this page.').waitFor();
  });

  it('finds sessions and account settings under Settings, also by the address of the profile', async () => {
    // Close this page, because the test ends its session: further requests of the page would get 401.
    await (await open('/')).close();
    const page = await open('/profile');
    await page.waitForURL(/\/console\/settings/);
    const account = page.getByRole('table', { name: 'Account' });
    await account.getByText('OIDC_PROVIDERS').waitFor();
    await account.getByText(/^\$0.00 spent in the workspace Default, with no limit|with a limit of/).waitFor();
    const sessions = page.getByRole('table', { name: 'Sessions' });
    await sessions.getByText('This browser').waitFor();
    const before = await sessions.getByRole('row').count();
    await sessions.getByRole('button', { name: 'End this session' }).first().click();
    await eventually(async () => expect(await sessions.getByRole('row').count()).toBe(before - 1));
    await expectWellMade('/settings', 'This browser');
    await account.getByRole('link', { name: 'Channels' }).click();
    await page.getByRole('heading', { name: 'Channels', level: 1, exact: true }).waitFor();
  }, 120_000);
});
