import type { Page } from 'playwright-core';
import { makeKey, makeWorkspace } from '../../support/api/api-builders.js';
import { axeFindings } from '../../support/console/axe-findings.js';
import { codeFor, firstOwner } from '../../support/console/console-browser.js';
import {
  describeInChromium,
  startConsoleStage,
  type ConsolePage,
  type ConsoleStage,
} from '../../support/console/console-stage.js';
import { Keyboard } from '../../support/console/keyboard.js';
import { COUNTER } from '../../support/console/newcomer.js';
import { makeMember } from '../../support/money/account-builders.js';

const DAY_MS = 86_400_000;

describeInChromium('a person who assigns budgets, in the console', () => {
  let stage: ConsoleStage;
  let opened: ConsolePage;
  let page: Page;
  let research: string;
  let hash: string;
  let secret: string;

  beforeAll(async () => {
    stage = await startConsoleStage({ env: { INTERN_RUNTIME: 'none' } });
    const { management } = stage.service;
    research = (await makeWorkspace(management, { name: 'Research' })).id;
    ({ hash, key: secret } = await makeKey(management, { name: 'CI', workspace_id: research }));
    opened = await stage.open();
    page = opened.page;
    await page.addInitScript(COUNTER);
  }, 180_000);
  afterAll(() => stage.stop());
  afterEach(() => expect(opened.takeFaults()).toEqual([]));

  const card = (name: string) => page.getByRole('article', { name, exact: true });
  const weekly = () => card('Workspace Research, weekly');
  const alert = () => dialog().getByRole('alert');
  const dialog = () => page.getByRole('dialog');
  const submit = (name: string): Promise<void> => dialog().getByRole('button', { name, exact: true }).click();
  const link = (name: string) => page.getByRole('link', { name, exact: true });
  const clicks = () => page.evaluate<number>('counted.clicks');
  const listed = async () => (await stage.service.management.get('/budgets')).json.data;
  const make = async (json: object) =>
    (await stage.service.management.post('/budgets', { json: { interval: 'weekly', limit_usd: 50, ...json } })).json
      .data;

  /** A character costs 1,000 nano-dollars. */
  const speak = (input: string, fields: object = {}) =>
    stage.service
      .as(secret)
      .post('/audio/speech', { json: { model: 'builtin/flite', voice: 'slt', input, ...fields } });

  it('reads what a budget is, and gives a team 50 USD a week in six clicks', async () => {
    await opened.goto('/');
    await link('Budgets').click();
    await page.getByText('A budget is a limit in USD').waitFor();
    await page.getByRole('button', { name: 'Create the first budget' }).click();
    await dialog().getByRole('combobox', { name: 'Workspace' }).click();
    await page.getByRole('option', { name: 'Research' }).click();
    await dialog().getByLabel('Limit, USD').click();
    await page.keyboard.type('50');
    await submit('Create');
    await weekly().getByText('$0.00 of $50.00 spent').waitFor();
    expect(await clicks()).toBe(6);
    expect(await listed()).toMatchObject([
      { scope: { workspace_id: research }, each: null, interval: 'weekly', limit_usd: 50, soft: false },
    ]);
  });

  it('raises a budget for three days in three clicks, and ends the raise', async () => {
    await opened.goto('/');
    await link('Budgets').click();
    await page.getByRole('button', { name: 'Raise Workspace Research, weekly' }).click();
    await new Keyboard(page).has('Raise by, USD');
    await page.keyboard.type('25');
    await dialog().getByText('The limit is $75.00 until').waitFor();
    await submit('Raise');
    await weekly().getByText('Raised by $25.00 until').waitFor();
    expect(await clicks()).toBe(3);
    const [{ raise }] = await listed();
    expect(raise.amount_usd).toBe(25);
    expect(Math.round((Date.parse(raise.until) - Date.now()) / DAY_MS)).toBe(3);

    await page.getByRole('button', { name: 'Raise Workspace Research, weekly' }).click();
    await dialog().getByText('It replaces the raise of $25.00.').waitFor();
    await dialog().getByLabel('Raise by, USD').fill('5');
    await dialog().getByText('A week', { exact: true }).click();
    await submit('Raise');
    await weekly().getByText('Raised by $5.00 until').waitFor();
    const [{ raise: week }] = await listed();
    expect(Math.round((Date.parse(week.until) - Date.now()) / DAY_MS)).toBe(7);

    await page.getByRole('button', { name: 'End the raise of Workspace Research, weekly' }).click();
    await submit('End the raise');
    await weekly().getByText('Raised by').waitFor({ state: 'detached' });
    expect(await listed()).toMatchObject([{ raise: null, effective_limit_usd: 50 }]);
  });

  it('finds the budgets near their limit by the order of the page, in two clicks', async () => {
    await make({ scope: { api_key_hash: hash }, interval: 'daily', limit_usd: 0.0001, name: 'Nightly' });
    await make({ scope: { api_key_hash: hash }, each: 'end_user', interval: 'daily', limit_usd: 0.00001 });
    for (let user = 1; user <= 12; user++)
      expect((await speak('x'.repeat(Math.min(user, 10)), { user: `user-${user}` })).status).toBe(200);

    await opened.goto('/');
    await link('Budgets').click();
    await page.getByText('3 budgets: 1 at the limit, 0 near it.').waitFor();
    await page.getByText('By share used', { exact: true }).click();
    const names = await page.getByRole('article').evaluateAll((all) => all.map((each) => each.ariaLabel));
    expect(names).toEqual([
      'Workspace Research › Key CI › Each end user, daily',
      'Workspace Research › Key CI, daily',
      'Workspace Research, weekly',
    ]);
    const each = page.getByRole('article').first();
    await each.getByText('Limit reached', { exact: true }).waitFor();
    await each.getByText('Each end user: $0.00001. Highest: end user user-10, $0.00001 of $0.00001 spent.').waitFor();
    expect(await clicks()).toBe(2);

    await each.getByRole('button', { name: /^Show each end user/ }).click();
    const first = each.getByRole('row').nth(1);
    await first.getByText('Limit reached', { exact: true }).waitFor();
    expect(await first.getByRole('cell').first().textContent()).toBe('user-10');
    await each.getByRole('row').filter({ hasText: 'user-8' }).getByText('Near the limit', { exact: true }).waitFor();
    await each.getByText('10 of 12').waitFor();
    await each.getByRole('button', { name: 'Show more' }).click();
    await each.getByText('12 of 12').waitFor();
    expect(await each.getByRole('row').last().getByRole('cell').first().textContent()).toBe('user-1');
  });

  it('sees a tree of workspaces and their keys, with the intervals in columns', async () => {
    await make({ scope: { tag: 'batch' }, interval: 'monthly', limit_usd: 5 });
    await make({ scope: { workspace_id: research }, interval: 'monthly', limit_usd: 150 });
    await opened.goto('/budgets');
    await card('Account-wide › Tag batch, monthly').waitFor();
    const [week, month] = await Promise.all(
      ['weekly', 'monthly'].map((interval) => card(`Workspace Research, ${interval}`).boundingBox()),
    );
    expect([month!.y, month!.x > week!.x + week!.width]).toEqual([week!.y, true]);
    const rows = page.getByRole('list', { name: 'Budgets' }).getByRole('listitem');
    const texts = await rows.evaluateAll((all) => all.map((each) => each.textContent!.split('Add')[0]!.slice(0, 40)));
    expect(texts.map((text) => text.replace(/^▾/, '').replace(/(Each end user).*/, '$1'))).toEqual([
      'Workspace Research',
      'Key CI',
      'Each end user',
      'Account-wide',
      'Tag batch',
    ]);
    await page.getByRole('button', { name: 'Close Workspace Research', exact: true }).click();
    await card('Workspace Research › Key CI, daily').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Open Workspace Research', exact: true }).click();
    await page.getByLabel('Filter').fill('nightly');
    await page.getByText('1 budget: 0 at the limit, 0 near it.').waitFor();
    await page.getByLabel('Filter').fill('nothing of it');
    await page.getByText('No budget matches.').waitFor();
  });

  it('changes a budget, makes it soft, names it, and deletes it after a confirmation', async () => {
    await opened.goto('/budgets');
    await page.getByRole('button', { name: 'Edit Account-wide › Tag batch, monthly' }).click();
    await dialog().getByLabel('Limit, USD').fill('7.5');
    await dialog().getByLabel('Name').fill('Batches');
    await dialog().getByRole('switch', { name: /^Soft/ }).click();
    await submit('Save');
    const tag = card('Account-wide › Tag batch, monthly');
    await tag.getByText('Monthly · Batches').waitFor();
    await tag.getByText('Soft: never refuses').waitFor();
    expect(await listed()).toContainEqual(expect.objectContaining({ limit_usd: 7.5, name: 'Batches', soft: true }));

    await page.getByRole('button', { name: 'Delete Account-wide › Tag batch, monthly' }).click();
    await dialog().getByText('What it has counted is lost.').waitFor();
    await submit('Delete');
    await tag.waitFor({ state: 'detached' });
    expect(await listed()).toHaveLength(4);
  });

  it('limits each member in a workspace, and sees in the form why the service refuses a budget', async () => {
    await opened.goto('/workspaces');
    await link('Research').click();
    await link('Its budgets').click();
    await page.getByRole('button', { name: 'Create budget' }).click();
    await dialog().getByLabel('Limit, USD').fill('10');
    await submit('Create');
    await alert().getByText('There is a weekly budget of this scope').waitFor();
    await dialog().getByRole('combobox', { name: 'Limits the calls of' }).click();
    await page.getByRole('option', { name: 'Each member' }).click();
    await dialog().getByRole('combobox', { name: 'Workspace' }).waitFor();
    await dialog().getByText('Monthly', { exact: true }).click();
    await submit('Create');
    const each = card('Workspace Research › Each member, monthly');
    await each.getByText('Highest: member Owner, $0.000075 of $10.00 spent.').waitFor();
    const made = { scope: { workspace_id: research }, each: 'user_id', interval: 'monthly', limit_usd: 10 };
    expect((await listed()).at(-1)).toMatchObject(made);
    expect(opened.faults.errors.splice(0)).toEqual([expect.stringContaining('409')]);
  });

  it('opens the budgets of a key from the page of the key', async () => {
    await opened.goto(`/keys/${hash}`);
    await link('Budgets of this key').click();
    await page.getByText('Only budgets of the key CI.').waitFor();
    await page.getByText('2 budgets:').waitFor();
    await page.getByRole('button', { name: 'Show all' }).click();
    await page.getByText('5 budgets:').waitFor();
  });

  it('raises a budget without a mouse', async () => {
    await opened.goto('/budgets');
    await weekly().waitFor();
    const keys = new Keyboard(page);
    await keys.press('Raise Workspace Research, weekly');
    await keys.has('Raise by, USD');
    await page.keyboard.type('2');
    await page.keyboard.press('Enter');
    await weekly().getByText('Raised by $2.00 until').waitFor();
    expect(keys.invisible).toEqual([]);
  });

  it.each([
    [390, 'dark'],
    [1280, 'light'],
  ] as const)('sees an accessible page that fits in %d pixels, %s', async (width, colorScheme) => {
    const narrow = await stage.open({ colorScheme, viewport: { width, height: 800 } });
    await narrow.goto('/budgets');
    await narrow.page.getByRole('button', { name: /^Show each end user/ }).click();
    await narrow.page.getByText('10 of 12').waitFor();
    expect(await axeFindings(narrow.page)).toEqual([]);
    expect(await narrow.page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    await narrow.context.close();
  });

  it('sees no buttons if the role may only read', async () => {
    const { accountId } = await firstOwner(stage.service);
    const userId = await makeMember(stage.service, { accountId }, { name: 'Vera', role: 'viewer' });
    const members = { json: { user_ids: [userId] } };
    await stage.service.management.post(`/workspaces/${research}/members/add`, members);
    const viewer = await stage.open({ isSignedIn: false });
    await viewer.goto(`/#code=${await codeFor(stage.service, { accountId, userId })}`);
    await viewer.page.getByRole('button', { name: 'Sign in' }).click();
    await viewer.page.getByRole('link', { name: 'Budgets', exact: true }).click();
    await viewer.page.getByText('Raised by $2.00 until').waitFor();
    expect(await viewer.page.getByRole('button', { name: /Create|Add|Raise|Edit|Delete/ }).count()).toBe(0);
    await viewer.context.close();
  });
});
