import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import {
  describeInChromium,
  startConsoleStage,
  type ConsolePage,
  type ConsoleStage,
} from '../../support/console/console-stage.js';
import { TEST_API_KEY } from '../../support/services/test-service.js';

const chat = { json: { model: 'builtin/eliza', messages: [{ role: 'user', content: 'Hello' }] } };

describeInChromium('a person who manages an account, in the console', () => {
  let stage: ConsoleStage;
  let opened: ConsolePage;
  let page: Page;

  beforeAll(async () => {
    stage = await startConsoleStage({ env: { INTERN_RUNTIME: 'none' } });
    await stage.service.standard.post('/chat/completions', chat);
    opened = await stage.open();
    page = opened.page;
  }, 180_000);
  afterAll(() => stage.stop());
  afterEach(() => expect(opened.takeFaults()).toEqual([]));

  const go = (name: string): Promise<void> =>
    page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name, exact: true }).click();
  const row = (text: string) => page.getByRole('row').filter({ hasText: text });
  const dialog = () => page.getByRole('dialog');
  const heading = (name: string) => page.getByRole('heading', { name, exact: true });

  async function createKey(name: string): Promise<string> {
    await opened.goto('/keys');
    await page.getByRole('button', { name: 'Create key' }).click();
    await dialog().getByLabel('Name').fill(name);
    await dialog().getByLabel('Limit, USD').fill('5');
    await dialog().getByRole('button', { name: 'Create' }).click();
    const secret = await page.getByRole('region', { name: 'Key', exact: true }).textContent();
    await page.getByRole('button', { name: 'Done' }).click();
    return secret!;
  }

  it('sees the requests of the week on the overview, and the requests of another range after one click', async () => {
    await opened.goto('/');
    await page.getByRole('heading', { name: 'Top models' }).waitFor();
    await page.getByRole('link', { name: 'builtin/eliza' }).waitFor();
    await page.getByRole('button', { name: 'Time range: Last 7 days' }).click();
    await page.getByRole('button', { name: 'Last 30 days' }).click();
    await page.waitForURL(/range=30d/);
    await page.getByRole('img', { name: /^Spend per day, 3[01] points/ }).waitFor();
  });

  it('creates a key with a limit, and its secret works and is shown once', async () => {
    const secret = await createKey('Shown once');
    expect((await stage.service.as(secret).post('/chat/completions', chat)).status).toBe(200);
    await row('Shown once').getByText('$5.00').waitFor();
    expect(await page.content()).not.toContain(secret);
  });

  it('copies the lines for each client from the page of a key, with the real address', async () => {
    await createKey('For clients');
    await row('For clients').getByRole('link').click();
    for (const [client, line] of [
      ['Claude Code', `ANTHROPIC_BASE_URL=${stage.service.origin}/api\n`],
      ['Codex', `base_url = "${stage.service.origin}/api/v1"`],
      ['openai (JavaScript)', `baseURL: '${stage.service.origin}/api/v1'`],
      ['@openrouter/sdk', `serverURL: '${stage.service.origin}/api/v1'`],
      ['curl', `curl -s ${stage.service.origin}/api/v1/chat/completions`],
    ] as const) {
      await page.getByRole('tab', { name: client, exact: true }).click();
      const texts = await page.getByRole('tabpanel').getByRole('region').allTextContents();
      expect(texts.join('\n')).toContain(line);
    }
  });

  it('rotates a key with grace: both secrets work', async () => {
    const before = await createKey('Rotated');
    await row('Rotated').getByRole('link').click();
    await page.getByRole('button', { name: 'Rotate', exact: true }).click();
    await page.getByRole('radio', { name: /^No:/ }).check();
    await dialog().getByRole('button', { name: 'Rotate' }).click();
    const after = await page.getByRole('region', { name: 'Key', exact: true }).textContent();
    await page.getByRole('button', { name: 'Done' }).click();
    const statuses = [before, after!].map(async (key) => (await stage.service.as(key).get('/key')).status);
    expect(after).not.toBe(before);
    expect(await Promise.all(statuses)).toEqual([200, 200]);
  });

  it('disables a key, so that its calls are refused, and enables it again', async () => {
    const secret = await createKey('On and off');
    const statusOfCall = async (): Promise<number> => (await stage.service.as(secret).get('/key')).status;
    await page.getByRole('button', { name: 'Disable On and off' }).click();
    await dialog().getByRole('button', { name: 'Disable' }).click();
    await row('On and off').getByText('Disabled').waitFor();
    expect(await statusOfCall()).toBe(401);
    await page.getByRole('button', { name: 'Enable On and off' }).click();
    await row('On and off').getByText('Active').waitFor();
    expect(await statusOfCall()).toBe(200);
  });

  it('raises the limit of a key', async () => {
    await createKey('Raised');
    await row('Raised').getByRole('link').click();
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await dialog().getByLabel('Limit, USD').fill('12');
    await dialog().getByRole('button', { name: 'Save' }).click();
    await row('Limit').getByText('$12.00 left of $12.00').waitFor();
  });

  it('restricts a key to models by its settings', async () => {
    const secret = await createKey('Restricted');
    await row('Restricted').getByRole('link').click();
    await page.getByRole('combobox', { name: 'Allowed models' }).fill('openai/*');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Save: Settings' }).click();
    await page.getByText('Saved').waitFor();
    expect((await stage.service.as(secret).post('/chat/completions', chat)).status).toBe(404);
  });

  it('deletes a key', async () => {
    const secret = await createKey('Deleted');
    await row('Deleted').getByRole('link').click();
    await page.getByRole('button', { name: 'Delete Deleted' }).click();
    await dialog().getByRole('button', { name: 'Delete' }).click();
    await heading('Keys').waitFor();
    await row('Deleted').waitFor({ state: 'detached' });
    expect((await stage.service.as(secret).get('/key')).status).toBe(401);
  });

  it('queries the spend by model and day, and keeps the query in the URL', async () => {
    await go('Usage');
    await page.getByRole('combobox', { name: 'Group by' }).click();
    await page.getByRole('option', { name: 'Model', exact: true }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('combobox', { name: 'Per', exact: true }).click();
    await page.getByRole('option', { name: 'Day' }).click();
    await row('builtin/eliza').first().waitFor();
    expect(page.url()).toMatch(/by=.*model.*granularity=day|granularity=day.*by=.*model/);
    await page.reload();
    await row('builtin/eliza').first().waitFor();
    await page.getByRole('img', { name: /Usage paid by credits per day/ }).waitFor();
  });

  it('downloads the result as CSV and as JSON', async () => {
    await opened.goto('/usage?by=%5B%22model%22%5D');
    const fileOf = async (name: string): Promise<string> => {
      const downloading = page.waitForEvent('download');
      await page.getByRole('button', { name, exact: true }).click();
      return readFile(await (await downloading).path(), 'utf8');
    };
    expect(await fileOf('Export CSV')).toMatch(
      /^model,credits_usage,byok_usage,request_count,error_count,tokens_total\r\nbuiltin\/eliza,0,0,\d+/,
    );
    const { data } = JSON.parse(await fileOf('JSON')) as { data: { model: string }[] };
    expect(data.map(({ model }) => model)).toEqual(['builtin/eliza']);
  });

  it('finds a call in the list and reads its page', async () => {
    await go('Calls');
    await row('builtin/eliza').first().getByRole('link').click();
    await heading('Call').waitFor();
    await row('Request id').waitFor();
    await page.getByText('Nothing was charged.').waitFor();
    await row('To the first byte').waitFor();
  });

  it('creates a workspace', async () => {
    await go('Workspaces');
    await page.getByRole('button', { name: 'Create workspace' }).click();
    await dialog().getByLabel('Name').fill('Research');
    await dialog().getByLabel('Slug').fill('research');
    await dialog().getByRole('button', { name: 'Create' }).click();
    await row('Research').waitFor();
  });

  it('registers an end user and disables it', async () => {
    await go('End users');
    await page.getByRole('button', { name: 'Create end user' }).click();
    await dialog().getByLabel('User').fill('customer-7');
    await dialog().getByRole('button', { name: 'Create' }).click();
    await page.getByRole('button', { name: 'Disable customer-7' }).click();
    await dialog().getByRole('button', { name: 'Disable' }).click();
    await row('customer-7').getByText('Inactive').waitFor();
  });

  it('adds a credential of a provider, and its models can be called', async () => {
    await go('Provider credentials');
    await page.getByRole('button', { name: 'Add credential' }).click();
    await dialog().getByRole('combobox', { name: 'Provider' }).fill('Groq');
    await page.getByRole('option', { name: 'Groq', exact: true }).click();
    await dialog().getByLabel('Name').fill('Team credential');
    await dialog().getByRole('textbox', { name: 'Key at the provider' }).fill('gsk_0123456789abcdef0123456789abcdef');
    await dialog().getByRole('button', { name: 'Add' }).click();
    await row('Team credential').getByText('Active').waitFor();
    expect(await page.content()).not.toContain('gsk_0123456789abcdef0123456789abcdef');
  });

  it('uploads a file and deletes it', async () => {
    await go('Files');
    const file = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('Notes of the week') };
    await page.getByLabel('File to upload').setInputFiles(file);
    await row('notes.txt').getByText('17 B').waitFor();
    await page.getByRole('button', { name: 'Delete notes.txt' }).click();
    await dialog().getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No files yet.').waitFor();
  });

  it('reads the credits and the ledger', async () => {
    await go('Credits');
    await page.getByText('$100.00').first().waitFor();
    await page.getByRole('table', { name: 'Ledger' }).getByText('grant').first().waitFor();
  });

  it('finds their own operations in the audit', async () => {
    await createKey('Audited');
    await go('Audit');
    await row('created').filter({ hasText: 'Audited' }).first().waitFor();
  });

  it('reads the list of members', async () => {
    await go('Members');
    await page.getByRole('table', { name: 'Members' }).getByRole('row').nth(1).waitFor();
  });

  it('sees that service and database work', async () => {
    await go('Health');
    await row('The database').getByText('Works').waitFor();
  });

  it('sees the pages for calls, but not the page of keys, in a session that a standard key opened', async () => {
    const own = await stage.open({ isSignedIn: false });
    await own.goto('/');
    await own.page.getByRole('textbox', { name: 'API key or management key' }).fill(TEST_API_KEY);
    await own.page.getByRole('button', { name: 'Sign in' }).click();
    await own.page.getByRole('heading', { name: 'Overview' }).waitFor();
    const links = await own.page.getByRole('navigation', { name: 'Pages' }).getByRole('link').allTextContents();
    expect(links).toEqual(expect.arrayContaining(['Calls', 'Models', 'Playground', 'Interns']));
    expect(links).not.toEqual(expect.arrayContaining(['Keys']));
    expect(own.faults).toEqual({ errors: [], foreignRequests: [] });
    await own.context.close();
  });
});
