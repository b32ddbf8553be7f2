import type { Page } from 'playwright-core';
import { aTextEndpoint, HELLO } from '../../support/calls/text-stage.js';
import { teach } from '../../support/catalogue/test-catalogue.js';
import { axeFindings } from '../../support/console/axe-findings.js';
import {
  describeInChromium,
  startConsoleStage,
  type ConsolePage,
  type ConsoleStage,
} from '../../support/console/console-stage.js';
import { Keyboard } from '../../support/console/keyboard.js';
import { COUNTER } from '../../support/console/newcomer.js';
import { eventually } from '../../support/eventually.js';
import { ENVIRONMENT_KEY, keyOf } from '../../support/api/channel-stage.js';
import {
  goodScript,
  startScriptedChatVendor,
  type ChatScript,
  type ScriptedChatVendor,
} from '../../support/vendors/scripted-chat-vendor.js';

const SECOND_KEY = 'sk-second-credential-0123456789-AbCd';
const ROUTE = '/providers/credentials';

describeInChromium("a person who manages the platform's keys at vendors, in the console", () => {
  let stage: ConsoleStage;
  let opened: ConsolePage;
  let page: Page;
  let vendor: ScriptedChatVendor;
  /** By key: the vendor's response to calls with the key, instead of a successful response. */
  const answers = new Map<string, ChatScript>();
  const LISTED = { body: { data: [{ id: 'vendor-model' }, { id: 'another' }] } };
  const REFUSED = { status: 401, body: { error: { message: 'Incorrect API key provided.' } } };

  beforeAll(async () => {
    vendor = await startScriptedChatVendor((call) => {
      const own = answers.get(keyOf(call));
      return own ?? (call.path.endsWith('/models') ? LISTED : goodScript(call));
    });
    const env = {
      INTERN_RUNTIME: 'none',
      OPENAI_API_KEY: ENVIRONMENT_KEY,
      OPENAI_BASE_URL: vendor.baseUrl,
      CHANNEL_PRIVATE_ADDRESSES: 'on',
    };
    stage = await startConsoleStage({ env });
    teach(stage.service, { 'rules/one': [aTextEndpoint('openai')] });
    opened = await stage.open({ viewport: { width: 1280, height: 900 } });
    page = opened.page;
    await page.addInitScript(COUNTER);
  }, 180_000);
  afterAll(async () => {
    await stage.stop();
    await vendor.close();
  });
  afterEach(() => expect(opened.takeFaults()).toEqual([]));

  const card = (name: string) => page.getByRole('article', { name: `${name} of OpenAI`, exact: true });
  const dialog = () => page.getByRole('dialog');
  const press = (action: string, name: string) => page.getByRole('button', { name: `${action} ${name} of OpenAI` });
  const chat = () =>
    stage.service.standard.post('/chat/completions', { json: { model: 'rules/one', messages: HELLO } });
  const listed = async () => (await stage.service.management.get(ROUTE)).json.data;
  const clicks = () => page.evaluate<number>('counted.clicks');
  const look = async (name: string): Promise<void> => {
    const folder = process.env['SCREENSHOTS'];
    if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
  };

  it('adds a second OpenAI key in six clicks, sees that it works, orders it first and sees its calls', async () => {
    await opened.goto('/');
    await page.getByRole('link', { name: 'Channels', exact: true }).click();
    await card('Environment').getByText('Read-only').waitFor();
    expect(await press('Edit', 'Environment').count()).toBe(0);
    await page.getByRole('button', { name: 'Add a channel' }).click();
    await dialog().getByRole('combobox', { name: 'Provider' }).click();
    await page.getByRole('option', { name: 'OpenAI', exact: true }).click();
    await dialog().getByLabel('Name', { exact: true }).fill('Second');
    await dialog().getByLabel('Key at the provider').fill(SECOND_KEY);
    await look('add');
    await dialog().getByRole('button', { name: 'Add and test' }).click();
    await card('Second').getByText('The vendor lists 2 models.').waitFor();
    await card('Second').getByText('Choice 1 of 1, 50% of its calls').waitFor();
    await page.getByRole('button', { name: 'Up: Second of OpenAI' }).click();
    await card('Second').getByText('Choice 1 of 2').waitFor();
    expect(await clicks()).toBe(6);
    expect((await listed()).map(({ id, priority }: { id: string; priority: number }) => [id, priority])).toEqual([
      [expect.any(String), -1],
      ['env:openai', 0],
    ]);
    await eventually(async () => {
      vendor.seen.length = 0;
      expect((await chat()).status).toBe(200);
      expect(vendor.seen.map(keyOf)).toEqual([SECOND_KEY]);
    });
    await card('Second')
      .getByText(/^[1-9] requests?, 0 errors$/)
      .waitFor();
    await look('served');
    expect(await page.content()).not.toContain(SECOND_KEY);
    await opened.goto(`/calls/${(await chat()).json.id}`);
    const attempt = page.getByRole('row').filter({ hasText: 'OpenAI' }).filter({ hasText: '200' });
    await attempt.getByText('Second').waitFor();
    await look('call');
  }, 120_000);

  it('reads why the vendor refuses a key, and that it is accepted again', async () => {
    answers.set(SECOND_KEY, REFUSED);
    vendor.seen.length = 0;
    expect((await chat()).status).toBe(200);
    expect(vendor.seen.map(keyOf)).toEqual([SECOND_KEY, ENVIRONMENT_KEY]);
    await opened.goto('/channels');
    await card('Second').getByText('Refused', { exact: true }).waitFor();
    await card('Second')
      .getByText(/^Status 401, /)
      .waitFor();
    await press('Test', 'Second').click();
    await card('Second')
      .getByRole('status')
      .getByText(/^The vendor refuses the key\. .* Status 401 after/)
      .waitFor();
    await look('refused');
    answers.delete(SECOND_KEY);
    await card('Second').getByLabel('Test by a call of a model').fill('rules/one');
    await card('Second').getByRole('button', { name: 'Call' }).click();
    await card('Second').getByText('The model responded.').waitFor();
    await card('Second').getByText('Ready', { exact: true }).waitFor();
  }, 120_000);

  it('sees the models of the vendor that are served', async () => {
    await opened.goto('/channels');
    await press('Models of', 'Second').click();
    await dialog().getByText('The vendor lists 2 models: 1 served, 1 not served').waitFor();
    const row = (text: string) => dialog().getByRole('row').filter({ hasText: text });
    await row('vendor-model').getByText('Served').waitFor();
    await row('another').getByText('Not in the catalogue').waitFor();
    await look('models');
  }, 120_000);

  it('sends only edited members, and must enter the key again for another URL', async () => {
    await opened.goto('/channels');
    await press('Edit', 'Second').click();
    expect(await dialog().getByLabel('New key').inputValue()).toBe('');
    await dialog().getByText('Order, limits and models').click();
    await dialog().getByLabel('Requests a minute').fill('600');
    await dialog().getByText('Address and headers').click();
    await look('edit');
    const [before] = await listed();
    await stage.service.management.patch(`${ROUTE}/${before.id}`, { json: { weight: 7 } });
    await dialog().getByRole('button', { name: 'Save' }).click();
    await card('Second').getByText('600 requests a minute').waitFor();
    expect((await listed())[0]).toMatchObject({ rpm: 600, weight: 7, priority: -1 });

    await press('Edit', 'Second').click();
    await dialog().getByText('Address and headers').click();
    await dialog().getByLabel('Base address').fill(`${vendor.baseUrl}/`);
    await dialog().getByText('enter the key again').waitFor();
    await look('address');
    await dialog().getByRole('button', { name: 'Save' }).click();
    expect((await listed())[0].base_url).toBeNull();
    await dialog().getByLabel('New key').fill(SECOND_KEY);
    await dialog().getByRole('button', { name: 'Save' }).click();
    await card('Second').getByText('The vendor lists 2 models.').waitFor();
    expect((await listed())[0].base_url).toBe(vendor.baseUrl);
  }, 120_000);

  it('reads everything at 390 pixels, without scrolling sideways and without a mouse', async () => {
    await page.setViewportSize({ width: 390, height: 800 });
    await opened.goto('/channels');
    await card('Second').waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    expect(await axeFindings(page)).toEqual([]);
    await look('narrow');
    const keys = new Keyboard(page);
    await keys.press('Down: Second of OpenAI');
    await card('Second').getByText('Choice 1 of 1').waitFor();
    await keys.press('Disable Second of OpenAI');
    await keys.has('Disable');
    await page.keyboard.press('Enter');
    await card('Second').getByText('Calls do not use it.').waitFor();
    await dialog().waitFor({ state: 'detached' });
    await keys.has('Enable Second of OpenAI');
    await page.keyboard.press('Enter');
    await card('Second').getByText('Ready', { exact: true }).waitFor();
    await keys.press('Delete Second of OpenAI');
    await keys.has('Delete');
    await page.keyboard.press('Enter');
    await card('Second').waitFor({ state: 'detached' });
    expect(keys.invisible).toEqual([]);
    expect((await listed()).map(({ id }: { id: string }) => id)).toEqual(['env:openai']);
    await page.setViewportSize({ width: 1280, height: 900 });
  }, 120_000);

  it('reads that only the account of the operator has channels', async () => {
    await stage.service.sql.query('update account set is_operator = false');
    try {
      // The service caches the account for some seconds.
      await eventually(async () => {
        await opened.goto('/channels');
        await page
          .getByText("Only the operator's account manages the keys of the platform.")
          .waitFor({ timeout: 2_000 });
        expect(await page.getByRole('link', { name: 'Channels', exact: true }).count()).toBe(0);
      }, 20_000);
      for (const error of opened.faults.errors.splice(0)) expect(error).toContain('404');
    } finally {
      await stage.service.sql.query('update account set is_operator = true');
    }
  }, 120_000);
});
