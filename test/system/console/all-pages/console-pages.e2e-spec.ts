import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { MemberId } from '../../../../src/auth/member-keys.js';
import { axeFindings } from '../../../support/console/axe-findings.js';
import { describeInChromium, startConsoleStage, type ConsoleStage } from '../../../support/console/console-stage.js';
import { idsOf, startDemoStage } from '../../../support/console/demo-stage.js';
import { HEIGHT, judgePage, keepPicture, LOOKS, prepareWalk, type Look } from '../../../support/console/page-walk.js';
import { LONG_TESTS } from '../../../support/long-tests.js';

/** Each page with its heading. Words in brackets are placeholders for ids of the account. */
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
  ['/settings', 'Settings'],
  ['/authorize?callback_url=https://app.example.com/done&key_label=Editor', 'Authorize an application'],
  ['/no-such-page', 'No such page'],
] as const;

const CALLS = 800;
/** The pages without an id. They are also opened by a newcomer, whose lists are empty, and by a developer. */
const LISTS = PAGES.filter(([path]) => !path.includes('['));
const MAX_FIRST_LOAD_BYTES = 300_000;

describeInChromium('the pages of the console', () => {
  let stage: ConsoleStage;
  let newcomer: ConsoleStage;
  let developer: MemberId;
  let ids: Readonly<Record<string, string>>;

  beforeAll(async () => {
    stage = await startDemoStage(CALLS, { INTERN_RUNTIME: 'none' });
    newcomer = await startConsoleStage({ env: { INTERN_RUNTIME: 'none' } });
    ids = await idsOf(stage.service);
    const [member] = await stage.service.sql.query<MemberId>(
      `select account_id as "accountId", user_id as "userId" from member
         where role = 'developer' order by created_at limit 1`,
    );
    developer = member!;
  }, 180_000);
  afterAll(async () => {
    await stage.stop();
    await newcomer.stop();
  });

  /** Opens the pages as one of three people. Returns the faults of the pages. */
  async function walk(who: string, look: Look, pages: readonly (readonly [string, string])[]): Promise<string[]> {
    const { scheme: colorScheme, width } = look;
    const opened = await (who === 'newcomer' ? newcomer : stage).open({
      colorScheme,
      viewport: { width, height: HEIGHT },
      ...(who === 'developer' ? { member: developer } : {}),
    });
    await prepareWalk(opened.context);
    const findings: string[] = [];
    for (const [path, heading] of pages) {
      const address = path.replace(/\[(\w+)\]/, (_, name: string) => ids[name]!);
      // A page that the developer may not read has the heading of its entry in the navigation.
      findings.push(...(await judgePage(opened, address, who === 'developer' ? undefined : heading)));
      await keepPicture(opened, who, path, look);
    }
    await opened.context.close();
    return findings.map((finding) => `${who}: ${finding}`);
  }

  // In a short run, the owner opens each page in only one width and scheme. The newcomer and the developer open half of
  // their pages, each in only one width and scheme.
  it.each(LOOKS.map((look, turn) => ({ ...look, turn })))(
    'are accessible, without errors and layout shifts, and no wider than the window: $width px, $scheme',
    async ({ turn, ...look }) => {
      const ofTurn = <Entry>(pages: readonly Entry[], turns: number): Entry[] =>
        pages.filter((_, at) => LONG_TESTS || at % turns === turn);
      const findings = await Promise.all([
        walk('owner', look, ofTurn(PAGES, LOOKS.length)),
        walk('newcomer', look, ofTurn(LISTS, 2 * LOOKS.length)),
        walk('developer', look, ofTurn(LISTS.toReversed(), 2 * LOOKS.length)),
      ]);
      expect(findings.flat()).toEqual([]);
    },
    600_000,
  );

  it('are accessible before the sign-in, and load at most 300 kB before and after it', async () => {
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
    // Wait until the requests of the sign-in have ended, because they must not be counted.
    await signedIn.page.waitForLoadState('networkidle');
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

  it('report that an address has no page, and link to the overview', async () => {
    const { page, goto, context } = await stage.open();
    await goto('/no-such-page');
    await page.getByRole('heading', { name: 'No such page' }).waitFor();
    await page.getByRole('link', { name: 'Go to the overview' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await context.close();
  });

  it('explain what to do about an error of the API', async () => {
    const { page, goto, faults, context } = await stage.open();
    await goto('/calls/gen-019ab0c4-3c5e-7a61-9d0e-1f2a3b4c5d6e');
    await page.getByText('Error 404').waitFor();
    await page.getByText('It may have been deleted. Reload the list.').waitFor();
    expect(faults.errors).toEqual([expect.stringContaining('404')]);
    await context.close();
  });

  it('scroll through 100,000 rows with only a few of them in the document', async () => {
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
