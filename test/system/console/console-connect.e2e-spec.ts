import { execFile } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { promisify } from 'node:util';
import { makeKey } from '../../support/api/api-builders.js';
import { eventually } from '../../support/eventually.js';
import {
  describeInChromium,
  startConsoleStage,
  type ConsolePage,
  type ConsoleStage,
} from '../../support/console/console-stage.js';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.js';

const run = promisify(execFile);
const PROGRAM_TIMEOUT_MS = 60_000;

describeInChromium('a person who connects a client, in the console', () => {
  let stage: ConsoleStage;
  let opened: ConsolePage;
  let page: Page;
  let folder: TemporaryFolder;
  let secret: string;

  beforeAll(async () => {
    folder = await temporaryFolder();
    await mkdir(join(folder.path, 'programs'));
    await symlink(resolve('test/node_modules'), join(folder.path, 'node_modules'));
    stage = await startConsoleStage({ env: { INTERN_RUNTIME: 'none' } });
    opened = await stage.open();
    page = opened.page;
  }, 180_000);
  afterAll(async () => {
    await stage.stop();
    await folder.remove();
  });
  afterEach(() => expect(opened.takeFaults()).toEqual([]));

  /** The lines that the page displays. */
  async function linesOf(client: string, label: string): Promise<string> {
    await page.getByRole('tab', { name: client, exact: true }).click();
    return (await page.getByRole('region', { name: `${client}: ${label}` }).textContent())!;
  }

  const program = async (client: string): Promise<string> => {
    const file = join(folder.path, 'programs', 'hello.mjs');
    await writeFile(file, await linesOf(client, 'hello.mjs'));
    return (await run(process.execPath, [file], { timeout: PROGRAM_TIMEOUT_MS })).stdout;
  };
  const shell = async (client: string): Promise<string> =>
    (await run('bash', ['-c', await linesOf(client, 'In the shell')], { timeout: PROGRAM_TIMEOUT_MS })).stdout;

  it('creates a key, copies the lines of curl, and sees its first call arrive, with six clicks', async () => {
    await opened.goto('/');
    await page.getByRole('link', { name: 'Connect a client', exact: true }).click();
    await page.getByRole('button', { name: 'Create a key now' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Laptop');
    await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
    const shown = page.getByRole('dialog', { name: 'Your new key' });
    secret = (await shown.getByRole('region', { name: 'Key', exact: true }).textContent())!;
    await shown.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Wait for the first call' }).click();
    await page.getByText('Waiting for a call of this key').waitFor();
    expect(await shell('curl')).toContain('"choices"');
    await page.getByText('The call arrived').waitFor({ timeout: 20_000 });
    await page.getByRole('link', { name: 'Open the call' }).click();
    await page.getByRole('heading', { name: 'Call', level: 1 }).waitFor();
    await page.goBack();
  });

  it.each(['openai (JavaScript)', 'AI SDK', '@openrouter/sdk'])(
    'runs the lines of %s word for word, with the secret of the new key',
    async (client) => {
      await opened.goto('/');
      await page.getByRole('link', { name: 'Connect a client', exact: true }).click();
      await page.getByRole('button', { name: 'Create a key now' }).click();
      await page.getByRole('dialog').getByLabel('Name').fill(client);
      await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
      await page.getByRole('button', { name: 'Done' }).click();
      expect((await program(client)).trim().length).toBeGreaterThan(5);
      await eventually(async () => {
        const { json } = await stage.service.management.get('/generations?limit=1&model=builtin%2Feliza');
        expect(json.data[0].status).toBe(200);
      });
    },
    120_000,
  );

  it('gets a placeholder instead of the secret of a chosen key, and no secret in the address', async () => {
    const { hash, key } = await makeKey(stage.service.management, { name: 'Older' });
    await opened.goto(`/keys/${hash}`);
    await page.getByRole('link', { name: 'Connect a client with it' }).click();
    await page.getByRole('heading', { name: 'Connect a client', level: 1 }).waitFor();
    await eventually(async () =>
      expect(await page.getByRole('combobox', { name: 'Key' }).inputValue()).toMatch(/^Older \(/),
    );
    expect(await linesOf('Claude Code', 'In the shell')).toContain('ANTHROPIC_AUTH_TOKEN=YOUR_KEY');
    expect(await page.content()).not.toContain(key);
    expect(page.url()).not.toContain(secret);
    expect(await page.content()).not.toContain(secret);
  });

  it('finds a key by its name, and gets lines with a model that can be called', async () => {
    await makeKey(stage.service.management, { name: 'Needle' });
    await opened.goto('/connect');
    await page.getByRole('combobox', { name: 'Key' }).fill('needl');
    await page.getByRole('option', { name: /^Needle/ }).click();
    await page.waitForURL(/key=[0-9a-f]{64}/);
    await page.getByText('Only built-in models can be called').waitFor();
    expect(await linesOf('Codex', '~/.codex/config.toml')).toContain('model = "builtin/eliza"');
    await page.getByRole('combobox', { name: 'Model' }).waitFor();
  });

  it('sees what to check if no call arrives within 30 seconds', async () => {
    const { hash } = await makeKey(stage.service.management, { name: 'Silent' });
    await page.clock.install();
    await opened.goto(`/connect?key=${hash}`);
    await page.getByRole('button', { name: 'Wait for the first call' }).click();
    await page.getByText('Waiting for a call of this key').waitFor();
    expect(await page.getByText('What to check').count()).toBe(0);
    await page.clock.runFor(31_000);
    await page.getByText('What to check').waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText('What to check').waitFor({ state: 'detached' });
  });
});
