import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { axeFindings } from '../../support/console/axe-findings.js';
import { describeInChromium, startConsoleStage, type ConsoleStage } from '../../support/console/console-stage.js';
import { eventually } from '../../support/eventually.js';
import { LONG_TESTS } from '../../support/long-tests.js';

/** Each page, with the heading that it shows. Words in brackets stand for ids of the account. */
const PAGES = [
  ['/', 'Overview'],
  ['/keys', 'Keys'],
  ['/keys/[key]', 'Bootstrap API key'],
  ['/connect', 'Connect a client'],
  ['/usage?granularity=day&by=%5B%22model%22%5D', 'Usage'],
  ['/calls', 'Calls'],
  ['/calls/[call]', 'Call'],
  ['/models', 'Models'],
  ['/models/openai/gpt-4o', 'GPT-4o'],
  ['/playground', 'Playground'],
  ['/playground?mode=image', 'Playground'],
  ['/playground?mode=speech', 'Playground'],
  ['/interns', 'Interns'],
  ['/interns/[intern]', 'ada'],
  ['/interns/[intern]?tab=sessions', 'ada'],
  ['/interns/[intern]?tab=secrets', 'ada'],
  ['/interns/[intern]?tab=settings', 'ada'],
  ['/credits', 'Credits'],
  ['/budgets', 'Budgets'],
  ['/provider-credentials', 'Provider credentials'],
  ['/channels', 'Channels'],
  ['/own-models', 'Own models'],
  ['/files', 'Files'],
  ['/end-users', 'End users'],
  ['/workspaces', 'Workspaces'],
  ['/members', 'Members'],
  ['/members/[member]', 'Owner'],
  ['/workspaces/default', 'Default'],
  ['/identity', 'Identity'],
  ['/webhooks', 'Alerts and webhooks'],
  ['/webhooks/[webhook]', 'https://hooks.slack.com/…XXXX'],
  ['/audit', 'Audit'],
  ['/health', 'Health'],
  ['/profile', 'Profile'],
  ['/authorize?callback_url=https://app.example.com/done&key_label=Editor', 'Authorize an application'],
  ['/no-such-page', 'No such page'],
] as const;

const LOOKS = [
  { name: 'light', colorScheme: 'light', viewport: { width: 1280, height: 800 } },
  { name: 'dark', colorScheme: 'dark', viewport: { width: 1280, height: 800 } },
  { name: 'as wide as a phone', colorScheme: 'light', viewport: { width: 390, height: 800 } },
  { name: 'dark and as wide as a phone', colorScheme: 'dark', viewport: { width: 390, height: 800 } },
] as const;

const MAX_FIRST_LOAD_BYTES = 300_000;

describeInChromium('the pages of the console', () => {
  let stage: ConsoleStage;
  let ids: Readonly<Record<string, string>>;

  beforeAll(async () => {
    stage = await startConsoleStage({ env: { INTERN_RUNTIME: 'none' } });
    const chat = { model: 'builtin/eliza', messages: [{ role: 'user', content: 'Hello' }] };
    await stage.service.standard.post('/chat/completions', { json: chat });
    const intern = await stage.service.standard.post('/interns', { json: { name: 'ada', provision: false } });
    const secret = { json: { value: 'very-secret-value', hosts: ['api.example.com'] } };
    await stage.service.standard.put(`/vault/interns/${intern.json.id}/secrets/api_token`, secret);
    const calls = await eventually(async () => {
      const { json } = await stage.service.management.get('/generations');
      expect(json.data).toHaveLength(1);
      return json.data;
    });
    const hook = { format: 'slack', url: 'https://hooks.slack.com/services/XXXX', events: ['credits.low'] };
    const webhook = await stage.service.management.post('/webhooks', { json: hook });
    const [owner] = (await stage.service.management.get('/members')).json.data;
    ids = {
      webhook: webhook.json.data.id,
      intern: intern.json.id,
      call: calls[0].id,
      key: calls[0].api_key_hash,
      member: owner.user_id,
    };
  }, 180_000);
  afterAll(() => stage.stop());

  // Short: each page once, in turn light and wide, and dark and narrow.
  const looks = LONG_TESTS ? LOOKS : [LOOKS[0], LOOKS[LOOKS.length - 1]!];
  it.each(looks.map((look, turn) => ({ ...look, turn })))(
    'are accessible, quiet, and no wider than the window: $name',
    async ({ colorScheme, viewport, turn }) => {
      const { page, goto, faults, context } = await stage.open({ colorScheme, viewport });
      const findings: string[] = [];
      for (const [path, heading] of PAGES.filter((_, at) => LONG_TESTS || at % looks.length === turn)) {
        await goto(path.replace(/\[(\w+)\]/, (_, name: string) => ids[name]!));
        await page.getByRole('heading', { name: heading, level: 1, exact: true }).waitFor();
        await page.waitForLoadState('networkidle');
        findings.push(...(await axeFindings(page)).map((finding) => `${path} ${finding}`));
        const width = await page.evaluate<number>('document.documentElement.scrollWidth');
        if (width > viewport.width) findings.push(`${path} is ${width} pixels wide`);
      }
      expect(findings).toEqual([]);
      expect(faults).toEqual({ errors: [], foreignRequests: [] });
      await context.close();
    },
    180_000,
  );

  it('are accessible before the sign-in, and load at most 300 kB before and with it', async () => {
    const { page, goto, faults, context } = await stage.open({ isSignedIn: false });
    let bytes = 0;
    page.on('response', (response) => {
      bytes += Number(response.headers()['content-length'] ?? 0);
    });
    await goto('/');
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    expect(bytes).toBeGreaterThan(50_000);
    expect(bytes).toBeLessThanOrEqual(MAX_FIRST_LOAD_BYTES);
    expect(faults).toEqual({ errors: [], foreignRequests: [] });
    await context.close();

    const signedIn = await stage.open();
    bytes = 0;
    const client = await signedIn.context.newCDPSession(signedIn.page);
    await client.send('Network.enable');
    await client.send('Network.setCacheDisabled', { cacheDisabled: true });
    client.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength));
    await signedIn.goto('/');
    await signedIn.page.getByRole('img', { name: /^Spend per day/ }).waitFor();
    await signedIn.page.waitForLoadState('networkidle');
    expect(bytes).toBeGreaterThan(50_000);
    expect(bytes).toBeLessThanOrEqual(MAX_FIRST_LOAD_BYTES);
    await signedIn.context.close();
  });

  it('have the styles of every component that they use', async () => {
    const assets = resolve(process.env['GATEHOUSE_TEST_BUILD']!, '../console/assets');
    const textOf = async (extension: string): Promise<string> => {
      const names = (await readdir(assets)).filter((name) => name.endsWith(extension));
      return (await Promise.all(names.map((name) => readFile(join(assets, name), 'utf8')))).join('\n');
    };
    const [scripts, styles, all] = await Promise.all([
      textOf('.js'),
      textOf('.css'),
      readFile(resolve('node_modules/@mantine/core/styles.css'), 'utf8'),
    ]);
    const styled = new Set([...all.matchAll(/\.(m_[0-9a-f]{6,8})\b/g)].map(([, name]) => name!));
    const used = [...styled].filter((name) => new RegExp(`"${name}"|\`${name}\``).test(scripts));
    expect(used.length).toBeGreaterThan(100);
    expect(used.filter((name) => !styles.includes(`.${name}`))).toEqual([]);
  });

  it('open on their own address, and say so where there is none', async () => {
    const { page, goto, context } = await stage.open();
    await goto('/no-such-page');
    await page.getByRole('heading', { name: 'No such page' }).waitFor();
    await page.getByRole('link', { name: 'Go to the overview' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await context.close();
  });

  it('say what to do about an error of the API', async () => {
    const { page, goto, faults, context } = await stage.open();
    await goto('/calls/gen-019ab0c4-3c5e-7a61-9d0e-1f2a3b4c5d6e');
    await page.getByText('Error 404').waitFor();
    await page.getByText('It may have been deleted. Reload the list.').waitFor();
    expect(faults.errors).toEqual([expect.stringContaining('404')]);
    await context.close();
  });

  it('scroll through 100,000 rows, of which few are in the document', async () => {
    const { page, goto, context } = await stage.open();
    const rows = Array.from({ length: 100_000 }, (_, at) => ({ model: `model-${at}`, request_count: at }));
    const data = { data: rows, metadata: { query_time_ms: 1, row_count: rows.length, truncated: false } };
    await page.route('**/analytics/query', (route) => route.fulfill({ json: { data } }));
    await goto('/usage?by=%5B%22model%22%5D&metrics=%5B%22request_count%22%5D');
    await page.getByRole('cell', { name: 'model-0', exact: true }).waitFor();
    await page
      .getByRole('region', { name: 'Usage' })
      .evaluate((region: { scrollTop: number; scrollHeight: number }) => {
        region.scrollTop = region.scrollHeight;
      });
    await page.getByRole('cell', { name: 'model-99999', exact: true }).waitFor();
    expect(await page.getByRole('row').count()).toBeLessThan(200);
    await context.close();
  });
});
