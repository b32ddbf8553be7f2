import { makeKey, makeWorkspace } from '../../support/api/api-builders.js';
import { codeFor, firstOwner } from '../../support/console/console-browser.js';
import { makeMember } from '../../support/money/account-builders.js';
import { describeInChromium, startConsoleStage, type ConsoleStage } from '../../support/console/console-stage.js';

/** One tab opens a form before the other tab saves its form. */
describeInChromium('two tabs of the console that edit the same resource', () => {
  let stage: ConsoleStage;
  beforeAll(async () => {
    stage = await startConsoleStage({ env: { INTERN_RUNTIME: 'none' } });
  }, 180_000);
  afterAll(() => stage.stop());

  const read = async (path: string) => (await stage.service.management.get(path)).json.data;

  it('keep the limit that the other tab set for a key', async () => {
    const { hash } = await makeKey(stage.service.management, { name: 'Shared' });
    const first = await stage.open();
    const { page } = first;
    const second = await first.context.newPage();
    for (const tab of [page, second]) {
      await tab.goto(`${stage.service.origin}/console/keys/${hash}`);
      await tab.getByRole('button', { name: 'Edit', exact: true }).click();
      await tab.getByRole('dialog').getByLabel('Name').waitFor();
    }
    await page.getByRole('dialog').getByLabel('Limit, USD').fill('77');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await second.getByRole('dialog').getByLabel('Name').fill('Renamed');
    await second.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await second.getByRole('heading', { name: 'Renamed', level: 1 }).waitFor();
    expect(await read(`/keys/${hash}`)).toMatchObject({ name: 'Renamed', limit: 77 });
    await first.context.close();
  });

  it('keep the settings that the other tab saved for a key', async () => {
    const { hash } = await makeKey(stage.service.management, { name: 'Settings' });
    const first = await stage.open();
    const { page } = first;
    const second = await first.context.newPage();
    for (const tab of [page, second]) {
      await tab.goto(`${stage.service.origin}/console/keys/${hash}`);
      await tab.getByRole('textbox', { name: 'Requests a minute' }).first().waitFor();
    }
    await page.getByRole('textbox', { name: 'Requests a minute' }).first().fill('60');
    await page.getByRole('button', { name: 'Save: Settings' }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    await second.getByRole('textbox', { name: 'Calls of one session' }).fill('9');
    await second.getByRole('button', { name: 'Save: Settings' }).click();
    await second.getByText('Saved', { exact: true }).waitFor();
    const settings = { requests_per_minute: 60, session_max_calls: 9 };
    expect(await read(`/keys/${hash}/settings`)).toMatchObject(settings);
    await second.getByRole('textbox', { name: 'Calls of one session' }).fill('8');
    await stage.service.management.put(`/keys/${hash}/settings`, { json: { requests_per_minute: 30 } });
    await second.getByRole('button', { name: 'Save: Settings' }).click();
    await second.getByText('Saved', { exact: true }).waitFor();
    expect(await read(`/keys/${hash}/settings`)).toMatchObject({ requests_per_minute: 30, session_max_calls: 8 });
    await first.context.close();
  });

  it('keep the slug of a workspace, and the limit of a budget, that changed while the form was open', async () => {
    const { management } = stage.service;
    const { id } = await makeWorkspace(management, { name: 'Team', slug: 'team' });
    const json = { scope: { workspace_id: id }, interval: 'weekly', limit_usd: 5, name: 'Week' };
    const budget = (await management.post('/budgets', { json })).json.data.id as string;
    const { page, goto, context } = await stage.open();

    await goto('/workspaces');
    await page.getByRole('button', { name: 'Actions of Team' }).click();
    await page.getByRole('menuitem', { name: 'Edit Team' }).click();
    await page.getByRole('dialog').getByLabel('Description').fill('Ours');
    await management.patch(`/workspaces/${id}`, { json: { slug: 'crew' } });
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await read(`/workspaces/${id}`)).toMatchObject({ slug: 'crew', description: 'Ours', name: 'Team' });

    await goto('/budgets');
    await page.getByRole('button', { name: /^Edit/ }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Weekly');
    await management.patch(`/budgets/${budget}`, { json: { limit_usd: 9 } });
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await read(`/budgets/${budget}`)).toMatchObject({ limit_usd: 9, name: 'Weekly' });
    await context.close();
  });

  it('show nothing of the former person after another person signs in on the other tab', async () => {
    const { accountId } = await firstOwner(stage.service);
    const userId = await makeMember(stage.service, { accountId }, { role: 'viewer' });
    const { page, context } = await stage.open();
    await page.goto(`${stage.service.origin}/console/keys`);
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Half typed');
    const second = await context.newPage();
    await second.goto(`${stage.service.origin}/console/keys`);
    await second.getByRole('button', { name: 'Session', exact: true }).click();
    await second.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByText('Your session has ended').waitFor();

    await second.goto(`${stage.service.origin}/console/#code=${await codeFor(stage.service, { accountId, userId })}`);
    await second.getByRole('button', { name: 'Sign in' }).click();

    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByText('No keys yet.').waitFor();
    await context.close();
  });
});
