import type { Page } from 'playwright-core';
import { keyOf } from '../../support/api/channel-stage.js';
import { HELLO } from '../../support/calls/text-stage.js';
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
import {
  goodScript,
  startScriptedChatVendor,
  type ScriptedChatVendor,
} from '../../support/vendors/scripted-chat-vendor.js';

const KEY = 'sk-own-provider-credential-0123456789';
const LISTED = { body: { data: [{ id: 'org/Assistant-7b' }, { id: 'painter' }] } };

describeInChromium('a person who adds models of their own, in the console', () => {
  let stage: ConsoleStage;
  let opened: ConsolePage;
  let page: Page;
  let vendor: ScriptedChatVendor;
  let next: ScriptedChatVendor;

  beforeAll(async () => {
    const answers: Parameters<typeof startScriptedChatVendor>[0] = (call) =>
      call.path.endsWith('/models') ? LISTED : goodScript(call);
    vendor = await startScriptedChatVendor(answers);
    next = await startScriptedChatVendor(answers);
    stage = await startConsoleStage({ env: { INTERN_RUNTIME: 'none', CHANNEL_PRIVATE_ADDRESSES: 'on' } });
    opened = await stage.open({ viewport: { width: 1440, height: 900 } });
    page = opened.page;
    await page.addInitScript(COUNTER);
  }, 180_000);
  afterAll(async () => {
    await stage.stop();
    await vendor.close();
    await next.close();
  });
  afterEach(() => expect(opened.takeFaults()).toEqual([]));

  const dialog = () => page.getByRole('dialog');
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  /** The label of a required field ends with an asterisk. */
  const field = (label: string) => dialog().getByLabel(new RegExp(`^${label}( \\*)?$`));
  const save = async (): Promise<void> => {
    await dialog().getByRole('button', { name: /^Save/ }).click();
    await dialog().waitFor({ state: 'detached' });
  };
  const row = (text: string) => page.getByRole('row').filter({ hasText: text });
  const chat = (model: string) =>
    stage.service.standard.post('/chat/completions', { json: { model, messages: HELLO } });
  const clicks = () => page.evaluate<number>('counted.clicks');
  const look = async (name: string): Promise<void> => {
    const folder = process.env['SCREENSHOTS'];
    if (!folder) return;
    const before = page.viewportSize()!;
    for (const colorScheme of ['light', 'dark'] as const)
      for (const width of [1440, 390]) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 900 });
        await page.screenshot({ path: `${folder}/${name}-${colorScheme}-${width}.png`, fullPage: true });
      }
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize(before);
  };

  it('adds a server with its key, chooses a model, gives its price, and sees its calls', async () => {
    await opened.goto('/');
    await page.getByRole('link', { name: 'Own models', exact: true }).click();
    await page.getByText('No servers yet. Add one').waitFor();
    await look('empty');
    await button('Add a provider').click();
    await field('Name').fill('Our Models');
    expect(await field('Slug').inputValue()).toBe('our-models');
    await field('Address').fill(vendor.baseUrl);
    await field('Key at the provider').fill(KEY);
    await look('add-provider');
    await button('Add and find its models').click();
    await dialog().getByText('The provider lists 2 models.').waitFor();
    await dialog().getByRole('checkbox', { name: 'org/Assistant-7b' }).check();
    expect(await field('Id').inputValue()).toBe('Assistant-7b');
    await field('Id').fill('assistant');
    await field('Context in tokens').fill('8000');
    await dialog().getByText('1 chosen model without a price').waitFor();
    await look('choose-models');
    await field('Prompt, USD per 1M tokens').fill('1');
    await field('Completion, USD per 1M tokens').fill('2');
    await save();
    await row('our-models/assistant').getByText('$1 / $2 per 1M tokens').waitFor();
    expect(await clicks()).toBe(5);
    await eventually(async () => {
      vendor.seen.length = 0;
      const { status, json } = await chat('our-models/assistant');
      expect([status, json.usage?.cost]).toEqual([200, 0.000025]);
    });
    expect(vendor.seen.map((call) => [keyOf(call), call.json.model])).toEqual([[KEY, 'org/Assistant-7b']]);
    await look('served');
    expect(await page.content()).not.toContain(KEY);
  }, 120_000);

  it('sees after each skipped step what to do next', async () => {
    await opened.goto('/own-models');
    await button('Add a provider').click();
    await field('Name').fill('Local');
    await field('Address').fill(vendor.baseUrl);
    await dialog().getByRole('switch', { name: 'Calls need a key' }).click();
    await button('Add and find its models').click();
    await dialog().getByText('The provider lists 2 models.').waitFor();
    await dialog().getByRole('button', { name: 'Later' }).click();
    const local = page.getByRole('region', { name: 'Local', exact: true });
    await local.getByText('Next: choose which of its models are served').waitFor();
    await local.getByRole('button', { name: 'Choose models' }).click();
    await dialog().getByRole('checkbox', { name: 'painter' }).check();
    await dialog().getByRole('combobox', { name: 'Capability' }).click();
    await page.getByRole('option', { name: 'Images' }).click();
    expect(await field('Context in tokens').count()).toBe(0);
    await save();
    await local.getByText('1 model without a price: not served. Set one with Edit.').waitFor();
    await button('Edit local/painter').click();
    await field('Picture, USD per picture').fill('0.02');
    await save();
    await row('local/painter').getByText('$0.02 per picture').waitFor();
    await stage.service.management.post('/providers', {
      json: { slug: 'keyless', format: 'messages', base_url: vendor.baseUrl },
    });
    await opened.goto('/own-models');
    const keyless = page.getByRole('region', { name: 'keyless', exact: true });
    await keyless.getByText('Next: add its key.').waitFor();
    await look('next-steps');
    await button('Delete keyless').click();
    await dialog().getByRole('button', { name: 'Delete' }).click();
    await keyless.waitFor({ state: 'detached' });
  }, 120_000);

  it('changes a price, which makes a new version, and reads all versions', async () => {
    await opened.goto('/own-models');
    await button('Edit our-models/assistant').click();
    await dialog().getByText('A change is version 2').waitFor();
    expect(await field('Prompt, USD per 1M tokens').inputValue()).toBe('1');
    await field('Prompt, USD per 1M tokens').fill('10');
    await save();
    await row('our-models/assistant').getByText('$10 / $2 per 1M tokens').waitFor();
    expect(await clicks()).toBe(2);
    await button('Versions of our-models/assistant').click();
    await dialog().getByText('$1 / $2 per 1M tokens').waitFor();
    await dialog().getByText('$10 / $2 per 1M tokens').waitFor();
    await look('versions');
  }, 120_000);

  it('moves a server, and must enter its key again', async () => {
    await opened.goto('/own-models');
    await button('Edit our-models').click();
    await field('Address').fill(next.baseUrl);
    await dialog().getByText('The address was changed: enter the keys again').waitFor();
    await look('move');
    await dialog().getByLabel(/^Key /).fill(`${KEY}-2`);
    await save();
    await eventually(async () => {
      next.seen.length = 0;
      expect((await chat('our-models/assistant')).status).toBe(200);
      expect(next.seen.map(keyOf)).toEqual([`${KEY}-2`]);
    });
    const { data } = (await stage.service.management.get('/providers/credentials?provider=our-models')).json;
    expect(data.map(({ base_url: own }: { base_url: string | null }) => own)).toEqual([null]);
  }, 120_000);

  it('gives an alias to models, orders the models, and deletes the alias', async () => {
    const choose = async (label: string, text: string): Promise<void> => {
      await dialog().getByRole('combobox', { name: label }).fill(text);
      await page.getByRole('option', { name: text, exact: true }).click();
    };
    const aliases = async () => (await stage.service.management.get('/models/aliases')).json.data;
    await opened.goto('/own-models');
    await button('Add an alias').click();
    await field('Alias').fill('fast');
    await choose('Model', 'builtin/eliza');
    await choose('Add a fallback', 'our-models/assistant');
    await button('Up: our-models/assistant').click();
    await look('alias');
    await save();
    await row('fast').getByText('our-models/assistant').waitFor();
    expect(await clicks()).toBe(5);
    expect((await aliases())[0]).toMatchObject({ name: 'fast', models: ['our-models/assistant', 'builtin/eliza'] });
    await eventually(async () => expect((await chat('fast')).json.model).toBe('our-models/assistant'));
    await button('Edit fast').click();
    await button('Remove our-models/assistant').click();
    await save();
    await row('fast').getByText('None').waitFor();
    expect((await aliases())[0].models).toEqual(['builtin/eliza']);
    await button('Delete fast').click();
    await dialog().getByRole('button', { name: 'Delete' }).click();
    await row('fast').waitFor({ state: 'detached' });
    expect(await aliases()).toEqual([]);
  }, 120_000);

  it('reads everything at 390 pixels, without scrolling sideways and without a mouse', async () => {
    await page.setViewportSize({ width: 390, height: 800 });
    await opened.goto('/own-models');
    await row('our-models/assistant').waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    expect(await axeFindings(page)).toEqual([]);
    const keys = new Keyboard(page);
    await keys.press('Delete local');
    await keys.has('Delete');
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'Local', exact: true }).waitFor({ state: 'detached' });
    await keys.press('Find models of our-models');
    await dialog().getByText('Served as our-models/assistant').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    expect(keys.invisible).toEqual([]);
    await page.setViewportSize({ width: 1440, height: 900 });
  }, 120_000);

  it('sees that only the account of the operator has own models', async () => {
    await stage.service.sql.query('update account set is_operator = false');
    try {
      // The service caches the account for some seconds.
      await eventually(async () => {
        await opened.goto('/own-models');
        await page
          .getByText("Only the operator's account manages the models of the platform.")
          .waitFor({ timeout: 2_000 });
        expect(await page.getByRole('link', { name: 'Own models', exact: true }).count()).toBe(0);
      }, 20_000);
      for (const error of opened.faults.errors.splice(0)) expect(error).toContain('404');
    } finally {
      await stage.service.sql.query('update account set is_operator = true');
    }
  }, 120_000);
});
