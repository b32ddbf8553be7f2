import { consolePaths } from '../../../support/console/console-routes.js';
import { newCode } from '../../../support/console/console-browser.js';
import { describeInChromium, type ConsoleStage } from '../../../support/console/console-stage.js';
import { startDemoStage } from '../../../support/console/demo-stage.js';
import { plainTexts, rememberData } from '../../../support/console/plain-texts.js';

const CALLS = 300;

describeInChromium('the texts of the console', () => {
  let stage: ConsoleStage;
  beforeAll(async () => {
    stage = await startDemoStage(CALLS);
  }, 180_000);
  afterAll(() => stage.stop());

  it('are translated on every page if the language is the pseudo-locale', async () => {
    const paths = await consolePaths(stage.service);
    const { page, goto, faults, context } = await stage.open({ locale: 'en-XA', isSignedIn: false });
    const data = rememberData(page);
    await goto(`/#code=${await newCode(stage.service)}`);
    const found = await plainTexts(page, data);
    await page.getByRole('button', { name: 'Šíĝñ íñ' }).click();
    await page.getByRole('heading', { name: 'Óṽéŕṽíéŵ' }).waitFor();
    for (const path of paths) {
      await goto(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.waitForLoadState('networkidle');
      found.push(...(await plainTexts(page, data)).map((text) => `${path}: ${text}`));
    }
    expect(found).toEqual([]);
    expect(faults).toEqual({ errors: [], foreignRequests: [] });
    await context.close();
  }, 180_000);

  it('have numbers and dates in the format of the browser', async () => {
    const { page, goto, context } = await stage.open({ locale: 'de-DE' });
    await goto('/credits');
    await page
      .getByText(/^\d[\d.]*,\d\d\s\$$/)
      .first()
      .waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('en');
    await context.close();
  }, 60_000);
});
