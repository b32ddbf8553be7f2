import type { Page } from 'playwright-core';
import {
  describeInChromium,
  startConsoleStage,
  type ConsolePage,
  type ConsoleStage,
} from '../../support/console/console-stage.js';
import { startScriptedVendor, type ScriptedVendor } from '../../support/vendors/scripted-vendor.js';

describeInChromium('a person who works with models and interns, in the console', () => {
  let vendor: ScriptedVendor;
  let stage: ConsoleStage;
  let opened: ConsolePage;
  let page: Page;

  beforeAll(async () => {
    vendor = await startScriptedVendor();
    stage = await startConsoleStage({ env: { INTERN_RUNTIME: 'process', OPENAI_BASE_URL: vendor.baseUrl } });
    opened = await stage.open();
    page = opened.page;
  }, 180_000);
  afterAll(async () => {
    await stage.stop();
    await vendor.close();
  });
  afterEach(() => expect(opened.takeFaults()).toEqual([]));

  const row = (text: string) => page.getByRole('row').filter({ hasText: text });
  const dialog = () => page.getByRole('dialog');
  const lane = (model: string) => page.getByRole('region', { name: model, exact: true });
  const send = (): Promise<void> => page.getByRole('button', { name: 'Send' }).click();

  it('finds a model by its name, by its output and by whether it can be called', async () => {
    await opened.goto('/models');
    await page.getByLabel('Search').fill('gpt-4o');
    await row('openai/gpt-4o').first().getByText('No credential').waitFor();
    await page.waitForURL(/q=gpt-4o/);
    await page.getByLabel('Search').fill('');
    await page.getByRole('switch', { name: 'Only models that can be called now' }).click();
    await row('builtin/eliza').getByText('Callable').waitFor();
    await row('openai/gpt-4o').first().waitFor({ state: 'detached' });
  });

  it('reads what is missing to call a model', async () => {
    await opened.goto('/models/openai/gpt-4o');
    await page.getByText('It cannot be called yet').waitFor();
    expect(await page.getByRole('region', { name: 'Variables' }).textContent()).toContain('OPENAI_API_KEY');
    await row('OpenAI').first().getByText('$2.50').waitFor();
  });

  it('reads the price of a character, if speech is priced by it', async () => {
    await opened.goto('/models?q=openai%2Ftts-1&output_modalities=audio');
    await row('openai/tts-1-hd').getByText('$30.00 / 1M characters').waitFor();
    expect(await row('openai/tts-1-hd').textContent()).not.toContain('$0.00');
    await opened.goto('/models/openai/tts-1');
    await row('OpenAI').first().getByText('$15.00 / 1M characters').waitFor();
  });

  it('chats, reads the cost below the answer and continues the conversation', async () => {
    await opened.goto('/playground?models=%5B%22builtin%2Feliza%22%5D');
    await page.getByLabel('Prompt', { exact: true }).fill('I feel sad today');
    await send();
    await lane('builtin/eliza').getByText('Cost $0.00').waitFor();
    await page.getByLabel('Prompt', { exact: true }).fill('It is my work');
    await page.keyboard.press('Enter');
    await lane('builtin/eliza').getByText('Cost $0.00').nth(1).waitFor();
    await lane('builtin/eliza').getByRole('link', { name: 'Call' }).first().click();
    await page.getByRole('heading', { name: 'Call', exact: true }).waitFor();
    await row('Model').getByText('builtin/eliza').waitFor();
  });

  it('copies the code of the call', async () => {
    await opened.goto('/playground');
    await page.getByLabel('Prompt', { exact: true }).fill("It's fine");
    const code = page.getByRole('region', { name: 'Call by curl' });
    expect(await code.textContent()).toContain(`${stage.service.origin}/api/v1/chat/completions`);
    expect(await code.textContent()).toContain(String.raw`It'\''s fine`);
  });

  it('compares models side by side', async () => {
    await opened.goto('/playground?mode=image');
    await page.getByRole('button', { name: 'Compare' }).waitFor({ state: 'detached' });
    await opened.goto('/playground?models=%5B%22builtin%2Feliza%22%2C%22builtin%2Feliza%22%2C%22builtin%2Feliza%22%5D');
    await page.getByLabel('Prompt', { exact: true }).fill('Hello');
    await send();
    for (const at of [0, 1, 2]) await lane('builtin/eliza').nth(at).getByText('Cost').waitFor();
  });

  it('draws a picture', async () => {
    await opened.goto('/playground?mode=image');
    await page.getByLabel('Prompt', { exact: true }).fill('A lighthouse above a stormy sea');
    await send();
    await page.getByRole('img', { name: 'A lighthouse above a stormy sea' }).waitFor();
    await page.getByText(/^Cost \$/).waitFor();
  });

  it('turns a text into speech', async () => {
    await opened.goto('/playground?mode=speech&models=%5B%22builtin%2Fflite%22%5D');
    await page.getByLabel('Text', { exact: true }).fill('Hello from the console');
    await send();
    await page.getByText(/^Cost \$0\.0000/).waitFor();
    const readyState = page.locator('audio').evaluate((audio: { readyState: number }) => audio.readyState);
    expect(await page.locator('audio').count()).toBe(1);
    expect(await readyState).toBeGreaterThan(0);
  });

  it('lowers the limit of the session, which then refuses calls that cost more', async () => {
    const poor = await stage.open();
    await poor.goto('/');
    await poor.page.getByRole('button', { name: /\$0\.\d+ of / }).click();
    await poor.page.getByLabel('Limit of the session, USD').fill('0.0000001');
    await poor.page.getByRole('button', { name: 'Save' }).click();
    await poor.page.getByRole('button', { name: / of \$0\.0000001$/ }).waitFor();
    await poor.goto('/playground?mode=speech&models=%5B%22builtin%2Fflite%22%5D');
    await poor.page.getByLabel('Text', { exact: true }).fill('Too dear');
    await poor.page.getByRole('button', { name: 'Send' }).click();
    await poor.page.getByText('Error 402').waitFor();
    await poor.page.getByText('Add credits, or raise the limit of the key.').waitFor();
    expect(poor.faults.errors).toEqual([expect.stringContaining('402')]);
    await poor.context.close();
  });

  it('creates an intern with a language model, after the page has named the default model', async () => {
    await stage.service.management.post('/byok', { json: { provider: 'openai', key: 'sk-own-0123456789abcdef' } });
    await opened.goto('/interns');
    await page.getByRole('button', { name: 'Create intern' }).click();
    await dialog().getByText('It is a small program that follows rules, not a language model.').waitFor();
    await dialog().getByLabel('Name').fill('grace');
    await dialog().getByRole('combobox', { name: 'Model' }).click();
    await page.getByRole('option').first().waitFor();
    const models = await page.getByRole('option').allTextContents();
    expect(models[0]).toMatch(/^openai\//);
    expect(models.at(-1)).toMatch(/^builtin\//);
    await page.getByRole('option').first().click();
    await dialog().getByRole('switch', { name: 'Start it at once' }).click();
    await dialog().getByRole('button', { name: 'Create' }).click();
    await row('grace').getByText(models[0]!, { exact: true }).waitFor();
  });

  it('creates an intern with a secret, and sees only the name and the hosts of the secret', async () => {
    await opened.goto('/interns');
    await page.getByRole('button', { name: 'Create intern' }).click();
    await dialog().getByLabel('Name').fill('ada');
    await dialog().getByRole('switch', { name: 'Start it at once' }).click();
    await dialog().getByRole('button', { name: 'Create' }).click();
    await row('ada').getByRole('link').click();
    await page.getByRole('tab', { name: 'Secrets' }).click();
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await dialog().getByLabel('Name').fill('service_token');
    await dialog().getByRole('textbox', { name: 'Value' }).fill('very-secret-value');
    await dialog().getByRole('combobox', { name: 'Hosts' }).fill('api.example.com');
    await page.keyboard.press('Enter');
    await dialog().getByRole('button', { name: 'Save' }).click();
    await row('service_token').getByText('api.example.com').waitFor();
    expect(await page.content()).not.toContain('very-secret-value');
  });

  it('gives an intern a budget and a host', async () => {
    await opened.goto('/interns');
    await row('ada').getByRole('link').click();
    await page.getByRole('tab', { name: 'Settings' }).click();
    const form = page.getByRole('region', { name: 'Budget and hosts' });
    await form.getByLabel('Budget, USD').fill('3');
    await form.getByRole('combobox', { name: 'Allowed hosts' }).fill('docs.example.com');
    await page.keyboard.press('Enter');
    await form.getByRole('button', { name: 'Save: Budget and hosts' }).click();
    await form.getByText('Saved').waitFor();
    await page.reload();
    await page.getByRole('tab', { name: 'Settings' }).click();
    await form.getByText('docs.example.com').waitFor();
  });

  it('starts an intern, watches its state and talks to it', async () => {
    await opened.goto('/interns');
    await row('ada').getByRole('link').click();
    await page.getByRole('button', { name: 'Start' }).first().click();
    await page.getByText('running', { exact: true }).waitFor();
    await page.getByRole('tab', { name: 'Talk' }).click();
    await page.getByLabel('Message').fill('Hello, ada');
    await send();
    await page
      .getByRole('log')
      .getByText(/^Cost \$/)
      .waitFor();
    await page.getByRole('button', { name: 'Suspend' }).click();
    await page.getByText('stopped', { exact: true }).waitFor();
  });

  it('keeps the chosen colours', async () => {
    await opened.goto('/');
    await page.getByRole('button', { name: 'Session', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Dark colours' }).click();
    await page.reload();
    await page.getByRole('button', { name: 'Session', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Light colours' }).click();
  });

  it('signs out, and the former page is not shown again', async () => {
    const leaving = await stage.open();
    await leaving.goto('/');
    await leaving.goto('/keys');
    await leaving.page.getByRole('button', { name: 'Session', exact: true }).click();
    await leaving.page.getByRole('menuitem', { name: 'Sign out' }).click();
    await leaving.page.getByRole('button', { name: 'Sign in' }).waitFor();
    await leaving.page.goBack();
    await leaving.page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(leaving.faults).toEqual({ errors: [], foreignRequests: [] });
    await leaving.context.close();
  });
});
