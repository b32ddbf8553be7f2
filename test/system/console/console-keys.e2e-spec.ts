import type { Page } from 'playwright-core';
import { makeKey, makeWorkspace } from '../../support/api/api-builders.js';
import { firstOwner } from '../../support/console/console-browser.js';
import {
  describeInChromium,
  startConsoleStage,
  type ConsolePage,
  type ConsoleStage,
} from '../../support/console/console-stage.js';
import { makeMember } from '../../support/money/account-builders.js';

const SPEECH = { json: { model: 'builtin/flite', voice: 'slt', input: 'Hi' } };
const USD_OF_SPEECH = 2_000 / 1e9;
const MANY_KEYS = 2_000;

describeInChromium('a person who manages keys, in the console', () => {
  let stage: ConsoleStage;
  let opened: ConsolePage;
  let page: Page;

  beforeAll(async () => {
    stage = await startConsoleStage({ env: { INTERN_RUNTIME: 'none' } });
    const { management } = stage.service;
    const { accountId } = await firstOwner(stage.service);
    const nia = await makeMember(stage.service, { accountId }, { name: 'Nia', role: 'developer' });
    const { id: support } = await makeWorkspace(management, { name: 'Support bot' });
    await makeKey(management, { name: 'Inbox', workspace_id: support, creator_user_id: nia, limit: 50 });
    const nearly = await makeKey(management, { name: 'Nearly empty', limit: 1.25 * USD_OF_SPEECH });
    await stage.service.as(nearly.key).post('/audio/speech', SPEECH);
    await stage.service.sql.query(
      `insert into api_key (hash, account_id, workspace_id, key_class, name, label, disabled, include_byok_in_limit,
         created_at, limit_nano)
       select md5(i::text) || md5(i::text), $1, $2, 'standard', 'Many ' || i, 'sk-gh-v1-' || i || '...abcd', false,
         false, now() - i * interval '1 day', 1000000000
       from generate_series(1, $3::int) i`,
      [accountId, support, MANY_KEYS],
    );
    opened = await stage.open();
    page = opened.page;
  }, 180_000);
  afterAll(() => stage.stop());
  afterEach(() => expect(opened.takeFaults()).toEqual([]));

  const row = (text: string) => page.getByRole('row').filter({ hasText: text });
  const firstRow = () => page.getByRole('table', { name: 'Keys' }).getByRole('row').nth(1);
  const header = (name: string) => page.getByRole('columnheader', { name });

  it('opens a list of 2,000 keys with at most 6 requests', async () => {
    const requests: string[] = [];
    const note = (request: { url(): string }): void => {
      if (request.url().includes('/api/v1/')) requests.push(request.url());
    };
    page.on('request', note);
    await opened.goto('/keys');
    await row('Nearly empty').waitFor();
    await page.waitForLoadState('networkidle');
    page.off('request', note);
    expect(requests.filter((url) => url.includes('/key-list'))).toHaveLength(1);
    expect(requests.length).toBeLessThanOrEqual(6);
  });

  it('finds a key by a part of its name, with owner and workspace, and keeps the search in the URL', async () => {
    await opened.goto('/keys');
    await page.getByLabel('Search', { exact: true }).fill('inb');
    await row('Nearly empty').waitFor({ state: 'detached' });
    const text = await row('Inbox').textContent();
    for (const part of ['Nia', 'Support bot', '$50.00']) expect(text).toContain(part);
    await page.waitForURL(/q=inb/);
    await page.reload();
    await row('Inbox').waitFor();
    expect(await page.getByLabel('Search', { exact: true }).inputValue()).toBe('inb');
  });

  it('finds the key that is nearest to its limit with two clicks from the overview', async () => {
    await opened.goto('/');
    await page.getByRole('link', { name: 'Keys', exact: true }).click();
    await page.getByRole('button', { name: 'Nearest to the limit' }).click();
    await firstRow().getByText('Nearly empty').waitFor();
    expect(await firstRow().getByRole('meter').getAttribute('aria-valuenow')).toBe('80');
    expect(await header('Limit').getAttribute('aria-sort')).toBe('descending');
  });

  it('sorts by a column, shows the order, and reverses it', async () => {
    await opened.goto('/keys');
    await header('Created').waitFor();
    expect(await header('Created').getAttribute('aria-sort')).toBe('descending');
    expect(await header('Name').getAttribute('aria-sort')).toBe('none');
    await header('Name').getByRole('button').click();
    await firstRow().getByText('Bootstrap').waitFor();
    expect(await header('Name').getAttribute('aria-sort')).toBe('ascending');
    await header('Name').getByRole('button').click();
    await firstRow().getByText('Nearly empty').waitFor();
    expect(await header('Name').getAttribute('aria-sort')).toBe('descending');
  });

  it('filters by an owner and a state, and scrolls to the end of a long list', async () => {
    await opened.goto('/keys');
    await page.getByRole('combobox', { name: 'Owner' }).click();
    await page.getByRole('option', { name: 'Nia' }).click();
    await row('Nearly empty').waitFor({ state: 'detached' });
    expect(await page.getByRole('row').count()).toBe(2);
    await page.getByRole('combobox', { name: 'State' }).click();
    await page.getByRole('option', { name: 'Expired' }).click();
    await page.getByText('No key matches.').waitFor();

    await opened.goto('/keys?sort=created_at&direction=desc');
    await row('Nearly empty').waitFor();
    for (let turns = 0; turns < 300 && (await row(`Many ${MANY_KEYS}`).count()) === 0; turns++) {
      await page.evaluate('document.querySelector(`.scroll[aria-label="Keys"]`).scrollTo(0, 1e6)');
      await page.waitForTimeout(100);
    }
    await row(`Many ${MANY_KEYS}`).waitFor();
  });

  it('sees no owners for an earlier text while the typed name is searched', async () => {
    let release!: () => void;
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/names/search', async (route, request) => {
      if (request.postDataJSON().query === 'Owner') await released;
      await route.continue();
    });
    await opened.goto('/keys');
    await page.getByRole('button', { name: 'Create key' }).click();
    const owner = page.getByRole('dialog').getByRole('combobox', { name: 'Owner', exact: true });
    const options = page.getByRole('option');
    await owner.click();
    await options.filter({ hasText: 'Nia' }).waitFor();
    await owner.fill('Owner');
    await page.getByText('Searching…').waitFor();
    expect(await options.count()).toBe(0);
    release();
    await options.filter({ hasText: 'Owner' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    expect(await owner.inputValue()).toMatch(/^Owner/);
    await page.unroute('**/names/search');
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  });

  it('sees no keys of sessions of the console', async () => {
    await opened.goto('/keys?q=console');
    await page.getByText('No key matches.').waitFor();
  });

  it('ends a leaked secret at once', async () => {
    const made = await makeKey(stage.service.management, { name: 'Leaked' });
    await opened.goto(`/keys/${made.hash}`);
    await page.getByRole('button', { name: 'Rotate', exact: true }).click();
    await page.getByRole('radio', { name: 'Yes: end the old secret now' }).check();
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click();
    await page.getByRole('button', { name: 'Done' }).click();
    expect((await stage.service.as(made.key).get('/key')).status).toBe(401);
    await page.getByRole('heading', { name: 'Leaked', level: 1 }).waitFor();
    expect(await page.getByRole('heading', { name: 'Old secrets that still work' }).count()).toBe(0);
  });

  it('must choose whether a secret was leaked: nothing is preselected', async () => {
    const made = await makeKey(stage.service.management, { name: 'Asked' });
    await opened.goto(`/keys/${made.hash}`);
    await page.getByRole('button', { name: 'Rotate', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click();
    expect(await page.evaluate('document.querySelector(`[type=radio]`).validity.valueMissing')).toBe(true);
    expect((await stage.service.as(made.key).get('/key')).status).toBe(200);
  });

  it('sees how long an old secret works, finds it on the page of the key, and ends it', async () => {
    const made = await makeKey(stage.service.management, { name: 'Graceful' });
    await opened.goto(`/keys/${made.hash}`);
    await page.getByRole('button', { name: 'Rotate', exact: true }).click();
    await page.getByRole('radio', { name: 'No: let the old secret work for a while' }).check();
    const year = new Date(Date.now() + 86_400_000).getFullYear();
    await page.getByText(new RegExp(`^Until .*${year}`)).waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click();
    await page.getByRole('button', { name: 'Done' }).click();
    const old = page.getByRole('region', { name: 'Old secrets that still work' });
    await old.getByText(made.data.label).waitFor();
    expect((await stage.service.as(made.key).get('/key')).status).toBe(200);

    await opened.goto('/keys?q=Graceful');
    await row('Graceful').getByText('1 old secret').waitFor();
    await row('Graceful').getByRole('link').click();
    await page.getByRole('button', { name: 'End now the old secret of Graceful' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'End now' }).click();
    await old.waitFor({ state: 'detached' });
    expect((await stage.service.as(made.key).get('/key')).status).toBe(401);
  });

  it('sees the spend of a key in the time range of the header', async () => {
    await opened.goto('/keys?q=Nearly');
    await row('Nearly empty').getByRole('link').click();
    await page.getByRole('heading', { name: 'Spend by model, per day' }).waitFor();
    await page.getByRole('table', { name: 'Spend by model' }).getByText('builtin/flite').waitFor();
    await page.goto(`${page.url().split('?')[0]}?range=24h`);
    await page.getByRole('heading', { name: 'Spend by model, per hour' }).waitFor();
    await page.getByRole('img', { name: /^Spend per hour, by model, 24 points/ }).waitFor();
    await page.goto(`${page.url().split('?')[0]}?from=2020-01-01`);
    await page.getByText('It made no calls in this time.').waitFor();
  });

  it('reads the owner of a key, and the used share of its limit', async () => {
    await opened.goto('/keys?q=Inbox');
    await row('Inbox').getByRole('link').click();
    const owner = page.getByRole('table', { name: 'Who has it' });
    await owner.getByText('Nia').waitFor();
    await owner.getByText('Support bot').waitFor();
    await page.getByRole('meter', { name: 'Used of the limit of Inbox' }).waitFor();
  });
});
