// `npm run screenshots`: fills a data folder with the demo data, starts the build with it, and writes the pictures for
// the README and the guides. `-- <folder>` writes them to another folder.
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { startServiceProcess } from '../services/service-process.js';
import { temporaryFolder } from '../temporary-folder.js';
import { CHROMIUM } from './chromium.js';

const VIEWPORT = { width: 1440, height: 900 };
const BUILD = resolve('dist/main.js');
/** The time that charts need for drawing after the last response. */
const DRAWING_MS = 1_500;
const MAX_PAGES = 10;

interface Picture {
  readonly file: string;
  /** Below /console. */
  readonly path: string;
  readonly scheme?: 'dark';
  readonly before?: (page: Page) => Promise<void>;
}

const chat = async (page: Page): Promise<void> => {
  await page.getByLabel('Prompt', { exact: true }).fill('My mother takes care of me.');
  await page.keyboard.press('Enter');
  await page
    .getByText(/^Cost \$/)
    .first()
    .waitFor();
};

const pictures = (callId: string): readonly Picture[] => [
  { file: 'overview.png', path: '/' },
  { file: 'overview-dark.png', path: '/', scheme: 'dark' },
  { file: 'usage.png', path: '/usage' },
  { file: 'call.png', path: `/calls/${callId}` },
  { file: 'keys.png', path: '/keys' },
  { file: 'playground.png', path: '/playground', before: chat },
];

/** The newest call that fell back to another provider, because its page shows the most details. */
async function callWithAttempts(origin: string, key: string): Promise<string> {
  const read = async (path: string): Promise<unknown> => {
    const response = await fetch(`${origin}/api/v1${path}`, { headers: { authorization: `Bearer ${key}` } });
    if (!response.ok) throw new Error(`${path} returned ${response.status}: ${await response.text()}`);
    return response.json();
  };
  for (let cursor = '', page = 0; page < MAX_PAGES; page++) {
    const list = (await read(`/generations?limit=100${cursor}`)) as { data: { id: string }[]; next_cursor: string };
    for (const { id } of list.data) {
      const call = (await read(`/generation?id=${id}`)) as { data: { provider_responses: unknown[] | null } };
      if ((call.data.provider_responses?.length ?? 0) > 1) return id;
    }
    cursor = `&cursor=${list.next_cursor}`;
  }
  throw new Error('no call of the demo data fell back');
}

/** A browser context that was signed in by the link of the first start. */
async function signIn(browser: Browser, link: string): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: VIEWPORT, reducedMotion: 'reduce', colorScheme: 'light' });
  const page = await context.newPage();
  await page.goto(link);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  await page.close();
  return context;
}

async function take(context: BrowserContext, origin: string, folder: string, picture: Picture): Promise<void> {
  const page = await context.newPage();
  await page.emulateMedia({ colorScheme: picture.scheme ?? 'light', reducedMotion: 'reduce' });
  await page.goto(`${origin}/console${picture.path}`, { waitUntil: 'networkidle' });
  await picture.before?.(page);
  await sleep(DRAWING_MS);
  await page.screenshot({ path: join(folder, picture.file) });
  await page.close();
  console.log(join(folder, picture.file));
}

async function main(folder = 'docs/screenshots'): Promise<void> {
  const data = await temporaryFolder();
  const env = { ...process.env, DATA_DIR: data.path, DATABASE_URL: '', DATABASE_DIRECT_URL: '' };
  const filled = spawnSync(process.execPath, ['dist/operator/main.js', 'demo'], { env, stdio: 'inherit' });
  if (filled.status !== 0) throw new Error('the demo data could not be made');
  process.env['GATEHOUSE_TEST_BUILD'] = BUILD;
  const service = await startServiceProcess({
    DATA_DIR: data.path,
    BOOTSTRAP_MANAGEMENT_KEY: '',
    BOOTSTRAP_API_KEY: '',
  });
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] });
  try {
    mkdirSync(folder, { recursive: true });
    const read = async (file: string): Promise<string> => (await readFile(join(data.path, file), 'utf8')).trim();
    const callId = await callWithAttempts(service.origin, await read('management-key'));
    const context = await signIn(browser, await read('console-link'));
    for (const picture of pictures(callId)) await take(context, service.origin, folder, picture);
  } finally {
    await browser.close();
    service.kill('SIGTERM');
    await service.exited;
    await data.remove();
  }
}

await main(process.argv[2]);
