import { describeInChromium, startConsoleStage, type ConsoleStage } from '../../support/console/console-stage.js';

/** Sets a variable of the window if it runs as a script. */
const SCRIPT = '<img src=x onerror="window.stolen=1"><script>window.stolen=1</script>';
const LINK = 'javascript:window.stolen=1';

describeInChromium('untrusted strings in the console', () => {
  let stage: ConsoleStage;

  beforeAll(async () => {
    stage = await startConsoleStage({ env: { INTERN_RUNTIME: 'none' } });
    const { management, standard } = stage.service;
    const text = `${SCRIPT} ${LINK}`;
    const chat = { model: 'builtin/eliza', messages: [{ role: 'user', content: text }], user: '<b>user</b>' };
    await standard.post('/chat/completions', { json: chat, headers: { 'user-agent': SCRIPT, 'x-title': SCRIPT } });
    await standard.post('/interns', { json: { name: 'strings', description: text, provision: false } });
    await management.post('/keys', { json: { name: text } });
    await management.post('/workspaces', { json: { name: text, slug: 'strings', description: text } });
    await management.post('/end-users', { json: { user: '<b>user</b>' } });
    const form = new FormData();
    form.set('file', new File(['text'], '<img src=x onerror=stolen=1>.txt'));
    await management.post('/files', { body: form });
  }, 180_000);
  afterAll(() => stage.stop());

  const PAGES = ['/', '/keys', '/usage?by=%5B%22external_user%22%5D', '/calls', '/interns', '/files', '/end-users'];

  it('are shown as text and run no script', async () => {
    const { page, goto, faults, context } = await stage.open();
    for (const path of [...PAGES, '/workspaces', '/audit', `/usage?model=${encodeURIComponent(SCRIPT)}`]) {
      await goto(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.waitForLoadState('networkidle');
      expect(await page.evaluate('window.stolen')).toBeUndefined();
      expect(await page.locator('a[href^="javascript:"], [onerror]').count()).toBe(0);
    }
    await goto('/keys');
    await page.getByRole('link', { name: SCRIPT }).click();
    await page.getByRole('heading', { name: SCRIPT, level: 1 }).waitFor();
    expect(faults).toEqual({ errors: [], foreignRequests: [] });
    await context.close();
  });

  it('that a model returns in a reply or an error are shown as text', async () => {
    const { page, goto, context } = await stage.open();
    const chunk = (delta: object): string => `data: ${JSON.stringify({ id: 'gen-1', choices: [{ delta }] })}\n\n`;
    await page.route('**/chat/completions', (route) =>
      route.fulfill({
        contentType: 'text/event-stream',
        body:
          chunk({ content: SCRIPT, reasoning: SCRIPT }) + `data: ${JSON.stringify({ error: { message: SCRIPT } })}\n\n`,
      }),
    );
    await goto('/playground');
    await page.getByLabel('Prompt', { exact: true }).fill(SCRIPT);
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('alert').getByText(SCRIPT).waitFor();
    expect(await page.evaluate('window.stolen')).toBeUndefined();
    await context.close();
  });

  it('cannot begin a formula in a CSV file', async () => {
    const { page, goto, context } = await stage.open();
    const rows = [{ external_user: '=HYPERLINK("http://evil.example")', request_count: 1 }];
    const data = { data: rows, metadata: { query_time_ms: 1, row_count: 1, truncated: false } };
    await page.route('**/analytics/query', (route) => route.fulfill({ json: { data } }));
    await goto('/usage?by=%5B%22external_user%22%5D&metrics=%5B%22request_count%22%5D');
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export CSV' }).click();
    const chunks: Buffer[] = [];
    for await (const chunk of await (await downloading).createReadStream()) chunks.push(chunk as Buffer);
    expect(Buffer.concat(chunks).toString()).toBe(
      `external_user,request_count\r\n"'=HYPERLINK(""http://evil.example"")",1\r\n`,
    );
    await context.close();
  });
});
