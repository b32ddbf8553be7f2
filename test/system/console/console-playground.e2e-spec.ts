import type { Page } from 'playwright-core';
import {
  describeInChromium,
  startConsoleStage,
  type ConsolePage,
  type ConsoleStage,
} from '../../support/console/console-stage.js';

const CLOCK = { type: 'function', function: { name: 'clock', parameters: { type: 'object', properties: {} } } };

describeInChromium('the parameters of the playground', () => {
  let stage: ConsoleStage;
  let opened: ConsolePage;
  let page: Page;
  beforeAll(async () => {
    stage = await startConsoleStage({ env: { INTERN_RUNTIME: 'none' } });
    opened = await stage.open();
    page = opened.page;
    await opened.goto('/playground?models=%5B%22builtin%2Feliza%22%5D');
    await page.getByText('Parameters').click();
  }, 180_000);
  afterAll(() => stage.stop());

  it('are in the call and in its code', async () => {
    await page.getByLabel('Max tokens').fill('3');
    await page.getByLabel('Prompt', { exact: true }).fill('I feel sad today');
    await page.getByText('"max_tokens":3').first().waitFor();
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText(/^Cost /).waitFor();
    const [call] = (await stage.service.management.get('/generations')).json.data;
    expect(call.tokens_completion).toBeLessThanOrEqual(3);
  });

  it('say what is wrong with them before anything is sent', async () => {
    await page.getByLabel('Temperature').fill('warm');
    await page.getByText('A number is needed').waitFor();
    expect(await page.getByRole('button', { name: 'Send' }).isDisabled()).toBe(true);
    await page.getByLabel('Temperature').fill('');
    await page.getByLabel('Tools').fill('{');
    await page.getByText(/A list of tools in JSON is needed/).waitFor();
  });

  it('offer tools, whose calls are shown', async () => {
    await page.getByLabel('Max tokens').fill('');
    await page.getByLabel('Tools').fill(JSON.stringify([CLOCK]));
    await page.getByLabel('Prompt', { exact: true }).fill('/call clock {"zone":"UTC"}');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('Calls the tool clock with {"zone":"UTC"}').waitFor();
    expect(opened.faults).toEqual({ errors: [], foreignRequests: [] });
  });
});
