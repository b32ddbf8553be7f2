import { readFile } from 'node:fs/promises';
import { signedInAs } from '../console-browser.js';
import { amountOf, firstRow, type Task, type TaskPlace } from './task.js';

const DAY_MS = 86_400_000;
const ADMIN = 'Amara Okafor';
const CHANGED_KEY = 'Ticket triage';

/** The UTC day that started this many days ago, as a time range. */
function dayBefore(days: number): { start: string; end: string } {
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  return {
    start: new Date(today - days * DAY_MS).toISOString(),
    end: new Date(today - (days - 1) * DAY_MS).toISOString(),
  };
}

const idInAddress = ({ page }: TaskPlace): string => new URL(page.url()).pathname.split('/').at(-1)!;

async function openFirstCall({ hand, page }: TaskPlace, outcome: string, search: RegExp): Promise<void> {
  await hand.pick(outcome);
  await page.waitForURL(search);
  await page.locator('[aria-busy=true]').waitFor({ state: 'detached' });
  await hand.pressFirstLink(page.getByRole('table', { name: 'Calls' }));
  await page.getByRole('heading', { name: 'Call', level: 1, exact: true }).waitFor();
}

const callIsExplained: Task = {
  name: 'why did this call fail, and why did that one cost so much',
  run: async (place) => {
    const { hand, page, api } = place;
    await hand.go('Calls');
    await openFirstCall(place, 'Failed', /status=errors/);
    const failed = (await api.get(`/generations/${idInAddress(place)}`)).json.data;
    const reason = page.getByRole('alert');
    await reason.getByText(failed.error.message).waitFor();
    await reason.getByText(failed.error.code, { exact: true }).waitFor();
    await hand.back();
    await openFirstCall(place, 'Successful', /status=ok/);
    const call = (await api.get(`/generations/${idInAddress(place)}`)).json.data;
    const lines = page.getByRole('table', { name: 'Price' }).getByRole('row');
    expect(amountOf(await lines.last().textContent())).toBeCloseTo(call.usage, 9);
    expect(await lines.count()).toBeGreaterThan(2);
  },
};

const keyRunsOut: Task = {
  name: 'which key is about to run out',
  run: async ({ hand, page, api }) => {
    await hand.go('Keys');
    await hand.press('button', 'Nearest to the limit');
    await page.waitForURL(/sort=limit_used/);
    const keys: { name: string; limit_used: number | null }[] = (await api.get('/key-list?limit=100')).json.data;
    const [nearest] = keys.toSorted((a, b) => (b.limit_used ?? -1) - (a.limit_used ?? -1));
    const row = page
      .getByRole('table', { name: 'Keys' })
      .getByRole('row')
      .filter({ has: page.getByRole('link') });
    await row.first().getByRole('link', { name: nearest!.name, exact: true }).waitFor();
    expect(await row.first().textContent()).toContain('left of');
  },
};

const spentMost: Task = {
  name: 'who spent most yesterday, on what',
  run: async (place) => {
    const { hand, page, api } = place;
    await hand.press('button', 'Time range: Last 7 days');
    await hand.press('button', 'Yesterday');
    await hand.closed();
    await hand.choose('Second ranking', 'Top members');
    const time_range = dayBefore(1);
    const order = { metrics: ['credits_usage'], order_by: { field: 'credits_usage', direction: 'desc' }, time_range };
    const top = await firstRow(place, { ...order, dimensions: ['user'], limit: 1 });
    const members: { user_id: string; name: string }[] = (await api.get('/members')).json.data;
    const { name } = members.find(({ user_id }) => user_id === top['user'])!;
    const ranking = page.getByRole('heading', { name: 'Top members', level: 2 }).locator('..');
    await ranking.getByRole('link', { name }).waitFor();
    await hand.press('link', name);
    await page.getByRole('heading', { name, level: 1 }).waitFor();
    const filters = [{ field: 'user', operator: 'eq', value: top['user'] }];
    const model = await firstRow(place, { ...order, dimensions: ['model'], filters, limit: 1 });
    const models = page.getByRole('heading', { name: 'Top models', level: 2 }).locator('..');
    await models.getByRole('link', { name: String(model['model']) }).waitFor();
    expect(await models.getByRole('link').nth(1).textContent()).toBe(model['model']);
    expect(amountOf(await page.locator('dd').first().textContent())).toBeCloseTo(Number(top['credits_usage']), 3);
  },
};

const csvOfMonth: Task = {
  name: 'CSV of the month',
  run: async (place) => {
    const { hand, page } = place;
    await hand.go('Usage');
    await hand.press('button', 'Time range: Last 7 days');
    await hand.press('button', 'This month');
    await hand.closed();
    await page.waitForURL(/range=month/);
    await page.locator('[data-old]').waitFor({ state: 'detached' });
    await page.getByRole('status').getByText('1 row').waitFor();
    const downloading = page.waitForEvent('download');
    await hand.press('button', 'Export CSV');
    const [head, first] = (await readFile(await (await downloading).path(), 'utf8')).trim().split('\r\n');
    const at = head!.split(',').indexOf('credits_usage');
    const now = new Date();
    const start = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth())).toISOString();
    const month = await firstRow(place, { metrics: ['credits_usage'], time_range: { start, end: now.toISOString() } });
    expect(Number(first!.split(',')[at])).toBeCloseTo(Number(month['credits_usage']), 9);
  },
};

const limitChanged: Task = {
  name: 'who changed a limit',
  before: async ({ service, api, suffix }) => {
    const [member] = await service.sql.query<{ accountId: string; userId: string }>(
      `select account_id as "accountId", user_id as "userId" from member join app_user u on u.id = user_id
         where u.name = '${ADMIN}'`,
    );
    const admin = await signedInAs(service, member!);
    const [key] = (await api.get(`/key-list?q=${encodeURIComponent(CHANGED_KEY)}&limit=1`)).json.data;
    const limit = 40 + suffix.length;
    expect((await admin.send('PATCH', `/console/api/v1/keys/${key.hash}`, { json: { limit } })).status).toBe(200);
  },
  run: async ({ hand, page, suffix }) => {
    await hand.go('Audit');
    await hand.menu('+ Add filter', 'Kind');
    await hand.takeOption('key');
    await page.waitForURL(/kind=api_key/);
    const row = page
      .getByRole('table', { name: 'Audit' })
      .getByRole('row')
      .filter({ hasText: `→ $${40 + suffix.length}.00` });
    const text = (await row.first().textContent())!;
    for (const part of [ADMIN, CHANGED_KEY, 'limit: ']) expect(text).toContain(part);
  },
};

export const SPEND_TASKS: readonly Task[] = [callIsExplained, keyRunsOut, spentMost, csvOfMonth, limitChanged];
