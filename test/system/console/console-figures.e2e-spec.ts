import type { Page } from 'playwright-core';
import {
  describeInChromium,
  startConsoleStage,
  type ConsolePage,
  type ConsoleStage,
} from '../../support/console/console-stage.js';
import { eventually } from '../../support/eventually.js';
import { startScriptedVendor, type ScriptedVendor } from '../../support/vendors/scripted-vendor.js';

const SPEECH = { json: { model: 'openai/tts-1', input: 'Hello from the console', voice: 'alloy' } };
const FLITE = { json: { model: 'builtin/flite', input: 'Hello from the console', voice: 'slt' } };

describeInChromium('the figures and the playground of the console', () => {
  let vendor: ScriptedVendor;
  let stage: ConsoleStage;
  let opened: ConsolePage;
  let page: Page;

  beforeAll(async () => {
    vendor = await startScriptedVendor();
    stage = await startConsoleStage({ env: { INTERN_RUNTIME: 'none', OPENAI_BASE_URL: vendor.baseUrl } });
    await stage.service.management.post('/byok', { json: { provider: 'openai', key: 'sk-own-0123456789abcdef' } });
    for (const call of [SPEECH, FLITE])
      expect((await stage.service.standard.post('/audio/speech', call)).status).toBe(200);
    vendor.script({ kind: 'status', status: 500 });
    expect((await stage.service.standard.post('/audio/speech', SPEECH)).status).toBe(502);
    await eventually(async () => {
      expect((await stage.service.management.get('/generations')).json.data).toHaveLength(3);
    });
    opened = await stage.open();
    page = opened.page;
  }, 180_000);
  afterAll(async () => {
    await stage.stop();
    await vendor.close();
  });
  afterEach(() => expect(opened.takeFaults()).toEqual([]));

  const row = (text: string) => page.getByRole('row').filter({ hasText: text });
  const lane = (model: string) => page.getByRole('region', { name: model, exact: true });
  const chart = (name: RegExp) => page.getByRole('img', { name });
  const send = (): Promise<void> => page.getByRole('button', { name: 'Send' }).click();

  it('show the charge as the spend, and the cost on own credentials separately', async () => {
    const query = { metrics: ['credits_usage', 'byok_usage'] };
    const [totals] = (await stage.service.management.post('/analytics/query', { json: query })).json.data.data;
    expect(totals.credits_usage > 0 && totals.byok_usage > totals.credits_usage).toBe(true);
    await opened.goto('/');
    const figure = async (name: string): Promise<number> => {
      const box = page.locator('dl > *').filter({ has: page.getByText(name, { exact: true }) });
      const amount = box.locator('dd').getByText(/^\$/);
      return Number((await amount.textContent())!.replace('$', ''));
    };
    await page.getByRole('heading', { name: 'Top models' }).waitFor();
    expect(await figure('Spend')).toBeCloseTo(totals.credits_usage, 9);
    expect(await figure('On own credentials')).toBeCloseTo(totals.byok_usage, 9);
    await page
      .getByText(/\$0\.0* on own credentials|\$0\.\d+ on own credentials/)
      .first()
      .waitFor();
  });

  it('show the reason of a failed call above everything else', async () => {
    await opened.goto('/calls?status=errors');
    await row('openai/tts-1').getByRole('link').click();
    const reason = 'The provider failed to answer this request';
    const alert = page.getByRole('alert').filter({ hasText: reason });
    await alert.getByText('provider_failed').waitFor();
    // The only attempt failed for the same reason as the call, so its row does not repeat the reason.
    const attempts = page.getByRole('table', { name: 'Attempts' });
    await attempts.getByRole('row').nth(1).waitFor();
    expect(await attempts.getByText(reason).count()).toBe(0);
    const alertY = (await alert.boundingBox())!.y;
    expect((await page.getByRole('heading', { name: 'What' }).boundingBox())!.y).toBeGreaterThan(alertY);
  });

  it('begin with a chart', async () => {
    await opened.goto('/usage');
    await chart(/^Usage paid by credits per day, 7 points/).waitFor();
    expect(await page.getByRole('row').count()).toBe(2);
    await opened.goto('/usage?range=24h&metrics=%5B%22request_count%22%5D');
    await chart(/^Requests per hour, 2[45] points/).waitFor();
  });

  it('do not add up the percentiles of small groups or of a second dimension', async () => {
    const day = `${new Date().toISOString().slice(0, 10)}T00:00:00.000Z`;
    const rows = Array.from({ length: 9 }, (_, at) => ({
      date__day: day,
      model: `model-${at}`,
      p50_latency: 100 + at,
      request_count: 9 - at,
    }));
    const queries: { dimensions?: string[] }[] = [];
    await page.route('**/analytics/query', async (route) => {
      queries.push(route.request().postDataJSON());
      await route.fulfill({ json: { data: { data: rows, metadata: { query_time_ms: 1, truncated: false } } } });
    });
    await opened.goto('/usage?granularity=day&by=%5B%22model%22%2C%22user%22%5D&metrics=%5B%22p50_latency%22%5D');
    await page.getByText('The 7 groups with the most requests').waitFor();
    const label = (await chart(/^Latency, median per day/).getAttribute('aria-label'))!;
    expect(label.match(/model-\d: up to \d+ ms/g)).toEqual(
      [0, 1, 2, 3, 4, 5, 6].map((at) => `model-${at}: up to ${100 + at} ms`),
    );
    expect(label).not.toContain('Others');
    expect(queries.map(({ dimensions }) => dimensions)).toEqual(expect.arrayContaining([['model'], ['model', 'user']]));
    await page.unroute('**/analytics/query');
  });

  it('keep the conversation of a model when another model is removed', async () => {
    await opened.goto('/playground?models=%5B%22builtin%2Feliza%22%2C%22builtin%2Feliza%22%5D');
    await page.getByLabel('Prompt', { exact: true }).fill('To both of you');
    await send();
    await lane('builtin/eliza').nth(1).getByText('Cost').waitFor();
    const second = await lane('builtin/eliza').nth(1).getByText('To both of you').locator('..').textContent();
    await page.getByRole('button', { name: 'Remove builtin/eliza' }).first().click();
    await lane('builtin/eliza').nth(1).waitFor({ state: 'detached' });
    // The lane of a single model has no heading.
    expect(await lane('builtin/eliza').textContent()).toBe(second);
    await page.getByRole('button', { name: 'Compare' }).waitFor({ state: 'attached' });
  });

  it('release the audio when the playground is cleared or left', async () => {
    await opened.goto('/playground?mode=speech&models=%5B%22builtin%2Fflite%22%5D');
    await page.evaluate(
      'window.freed = []; const revoke = URL.revokeObjectURL.bind(URL);' +
        'URL.revokeObjectURL = (url) => { freed.push(url); revoke(url); };',
    );
    for (const leave of ['Clear', 'Models']) {
      await page.getByLabel('Text', { exact: true }).fill('Hello');
      await send();
      await page.getByText(/^Cost \$/).waitFor();
      const address = await page.locator('audio').getAttribute('src');
      if (leave === 'Clear') await page.getByRole('button', { name: leave }).click();
      else
        await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: leave, exact: true }).click();
      await page.locator('audio').waitFor({ state: 'detached' });
      expect(await page.evaluate<string[]>('window.freed')).toContain(address);
    }
  });
});
