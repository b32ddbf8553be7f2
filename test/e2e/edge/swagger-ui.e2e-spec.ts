import { chromium, type Browser, type Locator, type Page } from 'playwright-core';
import { CHROMIUM } from '../../support/console/chromium.js';
import { describeInChromium } from '../../support/console/console-stage.js';
import { eventually } from '../../support/eventually.js';
import { startTestService, TEST_API_KEY, type TestService } from '../../support/services/test-service.js';

const SPEECH = { model: 'builtin/flite', voice: 'slt', input: 'Good morning.', response_format: 'mp3' };

/** The part of the browser's HTMLAudioElement that the test uses. */
interface AudioElement {
  muted: boolean;
  readonly duration: number;
  readonly error: { readonly message: string } | null;
  play(): Promise<void>;
}

describeInChromium('the Swagger UI in a browser', () => {
  let service: TestService;
  let browser: Browser;
  let page: Page;
  /** Errors of the browser's console, exceptions of scripts, and requests to other hosts. */
  const faults: string[] = [];

  beforeAll(async () => {
    service = await startTestService();
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
    page = await browser.newPage();
    page.on('console', (message) => {
      if (message.type() === 'error') faults.push(message.text());
    });
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('request', (request) => {
      const { protocol, origin } = new URL(request.url());
      if (protocol.startsWith('http') && origin !== service.origin) faults.push(request.url());
    });
    await page.goto(`${service.origin}/docs`);
    await page.locator('.opblock').first().waitFor();
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  const opened = async (path: string): Promise<Locator> => {
    const operation = page.locator('.opblock', { has: page.locator(`[data-path="${path}"]`) }).first();
    // Swagger UI renders only the operations near the visible part of the page.
    await page.evaluate('scrollTo(0, 0)');
    await eventually(async () => {
      if ((await operation.count()) === 0) await page.mouse.wheel(0, 500);
      expect(await operation.count()).toBe(1);
    }, 30_000);
    await operation.locator('.opblock-summary').click();
    await operation.locator('.execute').waitFor();
    return operation;
  };

  it('accepts a key, and has no field for the session cookie', async () => {
    await page.getByRole('button', { name: 'Authorize' }).first().click();
    const dialog = page.locator('.modal-ux');
    expect(await dialog.locator('input').count()).toBe(1);
    await dialog.locator('input').fill(TEST_API_KEY);
    await dialog.locator('.authorize').click();
    await dialog.getByText('Authorized').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await dialog.waitFor({ state: 'detached' });
  }, 60_000);

  it('plays the speech that an operation returned', async () => {
    const speech = await opened('/api/v1/audio/speech');
    await speech.locator('textarea').first().fill(JSON.stringify(SPEECH));
    await speech.locator('.execute').click();
    const player = speech.locator('audio[controls]');
    await player.waitFor();
    const played = await player.evaluate(async (element) => {
      const audio = element as unknown as AudioElement;
      audio.muted = true;
      await audio.play();
      return { seconds: audio.duration, fault: audio.error?.message ?? null };
    });
    expect(played).toEqual({ seconds: expect.any(Number), fault: null });
    expect(played.seconds).toBeGreaterThan(0.5);
    expect(await speech.getByRole('link', { name: 'Download' }).getAttribute('href')).toMatch(/^blob:/);
  }, 60_000);

  it('shows the documented 401 as an error envelope', async () => {
    const models = await opened('/api/v1/models');
    const unauthenticated = await models.locator('tr.response[data-code="401"] code').first().innerText();
    expect(JSON.parse(unauthenticated)).toEqual({ error: { code: 401, message: expect.stringContaining('API key') } });
  }, 60_000);

  it('causes no error in the browser, and requests nothing from other hosts', () => {
    expect(faults).toEqual([]);
  });
});
