import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { newCode } from '../../../support/console/console-browser.js';
import {
  describeInChromium,
  startConsoleStage,
  type ConsolePage,
  type ConsoleStage,
} from '../../../support/console/console-stage.js';
import { eventually } from '../../../support/eventually.js';
import { Keyboard } from '../../../support/console/keyboard.js';

describeInChromium('a person who manages an account by keyboard, in the console', () => {
  let stage: ConsoleStage;
  let opened: ConsolePage;
  let page: Page;
  let keys: Keyboard;

  beforeAll(async () => {
    stage = await startConsoleStage({ env: { INTERN_RUNTIME: 'none' } });
    const messages = [{ role: 'user', content: 'Hello' }];
    await stage.service.standard.post('/chat/completions', { json: { model: 'builtin/eliza', messages } });
    opened = await stage.open({ isSignedIn: false, reducedMotion: 'reduce' });
    await opened.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    page = opened.page;
    keys = new Keyboard(page);
    await opened.goto(`/#code=${await newCode(stage.service)}`);
    await keys.press('Sign in');
    await heading('Overview').waitFor();
  }, 180_000);
  afterAll(() => stage.stop());
  afterEach(() => expect([...opened.takeFaults(), ...keys.invisible.splice(0)]).toEqual([]));

  const heading = (name: string) => page.getByRole('heading', { name, exact: true, level: 1 });
  const row = (text: string) => page.getByRole('row').filter({ hasText: text });

  /** Presses the confirming button of a dialog as soon as it has the focus. */
  async function confirm(label: string): Promise<void> {
    await keys.has(label);
    await page.keyboard.press('Enter');
  }

  /** Copies the displayed secret by the button next to it. */
  async function copySecret(): Promise<string> {
    const shown = await page.getByRole('region', { name: 'Key', exact: true }).textContent();
    await keys.press('Copy Key');
    await eventually(async () => expect(await page.evaluate('navigator.clipboard.readText()')).toBe(shown));
    return shown!;
  }

  /** Opens another page by the navigation. */
  async function go(name: string): Promise<void> {
    // A dialog that is closing still has the focus.
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await keys.press(name);
    await heading(name).waitFor();
    await page.waitForFunction("document.activeElement?.id === 'page'");
    expect(await page.title()).toBe(`${name} · Gatehouse`);
  }

  async function createKey(name: string): Promise<string> {
    await keys.press('Create key');
    await keys.has('Name');
    await page.keyboard.type(name);
    await keys.fill('Limit, USD', '5');
    await page.keyboard.press('Enter');
    await page.getByText('Copy it now').waitFor();
    const secret = await copySecret();
    await keys.press('Done');
    await row(name).waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    return secret;
  }

  it('can skip the navigation, and has the focus on the new page after a change of pages', async () => {
    await opened.goto('/keys');
    await heading('Keys').waitFor();
    expect(await keys.next()).toContain('Skip to the page');
    await page.keyboard.press('Enter');
    expect(await keys.next()).toContain('Create key');
    await go('Usage');
    expect(await keys.next()).toMatch(/"(Export CSV|Metrics)/);
  });

  it('sees the spend of a key in the last week, by model, one step from the overview', async () => {
    await opened.goto('/');
    await page.getByRole('link', { name: 'Bootstrap API key' }).waitFor();
    await keys.press('Bootstrap API key');
    await page.getByRole('table', { name: 'Spend by model' }).getByRole('row').filter({ hasText: 'eliza' }).waitFor();
  });

  it('creates a key and copies its secret, and the focus returns to where it was', async () => {
    await opened.goto('/keys');
    const secret = await createKey('By keys');
    expect((await stage.service.as(secret).get('/key')).json.data.limit).toBe(5);
    await keys.has('Create key');
  });

  it('closes a dialog by Escape, and has the focus on the button that opened the dialog', async () => {
    await opened.goto('/keys');
    await keys.press('Create key');
    await page.getByRole('dialog').waitFor();
    for (let tabs = 0; tabs < 12; tabs++) await keys.next();
    expect(await page.locator('[role=dialog] :focus').count()).toBe(1);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await keys.has('Create key');
  });

  it('limits, rotates, disables, enables and deletes a key', async () => {
    await opened.goto('/keys');
    const before = await createKey('Whole life');
    await keys.press('Whole life');
    await heading('Whole life').waitFor();
    await keys.press('Edit');
    await keys.fill('Limit, USD', '7');
    await page.keyboard.press('Enter');
    await row('Limit').getByText('$7.00 left of $7.00').waitFor();
    await keys.has('Edit');
    await keys.press('Rotate');
    await keys.press('Yes: end the old secret now', 'ArrowDown');
    await keys.choose('The old secret works for', '1 hour');
    await keys.press('Rotate');
    await page.getByText('Copy it now').waitFor();
    const after = await copySecret();
    await keys.press('Done');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await keys.has('Rotate');
    for (const secret of [before, after]) expect((await stage.service.as(secret).get('/key')).status).toBe(200);
    await keys.press('Disable Whole life');
    await confirm('Disable');
    await row('State').getByText('Disabled').waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect((await stage.service.as(after).get('/key')).status).toBe(401);
    await keys.has('Enable Whole life');
    await page.keyboard.press('Enter');
    await row('State').getByText('Active').waitFor();
    await keys.press('Delete Whole life');
    await confirm('Delete');
    await heading('Keys').waitFor();
    await row('Whole life').waitFor({ state: 'detached' });
    await eventually(async () => expect(await keys.focused()).toContain('main'));
    expect(await keys.next()).toContain('Create key');
  });

  it('queries the spend by model, and downloads it', async () => {
    await opened.goto('/usage');
    await keys.choose('Group by', 'Model');
    await page.keyboard.press('Escape');
    await row('builtin/eliza').waitFor();
    const downloading = page.waitForEvent('download');
    await keys.to('Export CSV', 'Shift+Tab');
    await page.keyboard.press('Enter');
    expect(await readFile(await (await downloading).path(), 'utf8')).toContain('builtin/eliza');
  });

  it('filters the calls, opens one and reads it', async () => {
    await opened.goto('/calls');
    await keys.to('All');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page.waitForURL(/status=ok/);
    const time = await row('builtin/eliza').getByRole('link').textContent();
    await keys.press(time!);
    await heading('Call').waitFor();
    expect(await page.title()).toBe('Call · Gatehouse');
    await row('Request id').waitFor();
  });

  it('filters the models and opens one', async () => {
    await opened.goto('/models');
    await keys.fill('Search', 'gpt-4o-mini');
    await row('openai/gpt-4o-mini').first().waitFor();
    await keys.press('openai/gpt-4o-mini');
    await page.getByText('It cannot be called yet').waitFor();
  });

  it('adds a credential of a provider', async () => {
    await opened.goto('/provider-credentials');
    await keys.press('Add credential');
    await keys.to('Provider');
    await page.keyboard.type('Groq');
    await page.getByRole('option', { name: 'Groq', exact: true }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await keys.fill('Name', 'By keys');
    await keys.fill('Key at the provider', 'gsk_0123456789abcdef0123456789abcdef');
    await page.keyboard.press('Enter');
    await row('By keys').getByText('Active').waitFor();
  });

  it('uploads a file and deletes it', async () => {
    await opened.goto('/files');
    const choosing = page.waitForEvent('filechooser');
    await keys.press('Upload');
    await (await choosing).setFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('Notes') });
    await row('notes.txt').waitFor();
    await keys.has('Upload');
    await keys.press('Delete notes.txt');
    await confirm('Delete');
    await page.getByText('No files yet.').waitFor();
  });

  it('registers an end user and creates a workspace', async () => {
    await opened.goto('/end-users');
    await keys.press('Create end user');
    await keys.has('User');
    await page.keyboard.type('customer-7');
    await page.keyboard.press('Enter');
    await row('customer-7').waitFor();
    await go('Workspaces');
    await keys.press('Create workspace');
    await keys.fill('Name', 'Research');
    await keys.fill('Slug', 'research');
    await page.keyboard.press('Enter');
    await row('Research').waitFor();
  });

  it('reads credits, members, audit and health, and the title changes with the page', async () => {
    for (const name of ['Credits', 'Members', 'Audit', 'Health']) await go(name);
  });

  it.each(['/', '/usage', '/models?q=gpt-4o-mini', '/playground', '/audit'])(
    'finds no focus trap on %s: Tab goes around the page, and Shift+Tab goes back',
    async (path) => {
      await opened.goto(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.waitForLoadState('networkidle');
      await keys.to('Skip to the page');
      await keys.next();
      await keys.to('Skip to the page');
      await keys.to('Session', 'Shift+Tab');
    },
    120_000,
  );

  it('signs out and sees the sign-in page', async () => {
    await keys.to('Session');
    await page.keyboard.press('Enter');
    await keys.waitForMenu();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(await page.title()).toBe('Sign in · Gatehouse');
  });
});
