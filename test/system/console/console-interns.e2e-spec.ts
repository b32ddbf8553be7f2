import type { Page } from 'playwright-core';
import {
  describeInChromium,
  startConsoleStage,
  type ConsolePage,
  type ConsoleStage,
} from '../../support/console/console-stage.js';
import { Keyboard } from '../../support/console/keyboard.js';

const writes = (path: string): string => `/call write_file ${JSON.stringify({ path, content: 'Hello' })}`;

describeInChromium('models and interns, in the console without a mouse', () => {
  let stage: ConsoleStage;
  let opened: ConsolePage;
  let page: Page;
  let keys: Keyboard;

  beforeAll(async () => {
    stage = await startConsoleStage({ env: { INTERN_RUNTIME: 'process' } });
    opened = await stage.open({ reducedMotion: 'reduce' });
    page = opened.page;
    keys = new Keyboard(page);
  }, 180_000);
  afterAll(() => stage.stop());
  afterEach(() => {
    const { errors, foreignRequests } = opened.faults;
    expect([...errors.splice(0), ...foreignRequests.splice(0), ...keys.invisible.splice(0)]).toEqual([]);
  });

  const row = (text: string) => page.getByRole('row').filter({ hasText: text });
  const log = () => page.getByRole('log');
  const question = () => page.getByRole('alert').filter({ hasText: 'The intern waits for you' });

  /** Sends a message and waits until the intern asks or has finished. */
  async function say(text: string): Promise<void> {
    await keys.fill('Message', text);
    await page.keyboard.press('Enter');
  }

  /** Answers the question, and waits for the end of the turn. */
  async function answer(button: string): Promise<void> {
    await question().waitFor();
    const ended = await log()
      .getByText(/^Cost \$/)
      .count();
    await keys.to(button, 'Shift+Tab');
    await page.keyboard.press('Enter');
    await log()
      .getByText(/^Cost \$/)
      .nth(ended)
      .waitFor();
    expect(await question().count()).toBe(0);
    await keys.has('Message');
  }

  it('chats, draws and speaks in the playground', async () => {
    await opened.goto('/playground');
    await keys.fill('Prompt', 'I feel sad today');
    await page.keyboard.press('Enter');
    await page.getByText(/^Cost \$/).waitFor();
    await keys.to('Chat', 'Shift+Tab');
    await page.keyboard.press('ArrowRight');
    await page.waitForURL(/mode=image/);
    await keys.fill('Prompt', 'A lighthouse');
    await page.keyboard.press('Enter');
    await page.getByRole('img', { name: 'A lighthouse' }).waitFor();
    await keys.to('Image', 'Shift+Tab');
    await page.keyboard.press('ArrowRight');
    await page.waitForURL(/mode=speech/);
    await keys.fill('Text', 'Hello');
    await page.keyboard.press('Enter');
    await page.getByText(/^Cost \$/).waitFor();
  });

  it('creates an intern that starts at once, and watches it until it runs', async () => {
    await opened.goto('/interns');
    await keys.press('Create intern');
    await keys.has('Name');
    await page.keyboard.type('ada');
    await page.keyboard.press('Enter');
    await keys.press('ada');
    await page.getByRole('heading', { name: 'ada', level: 1 }).waitFor();
    await page.getByText('running', { exact: true }).waitFor();
  });

  it('refuses what it wants to do', async () => {
    await say(writes('refused.txt'));
    await answer('Reject');
    await say('/call read_file {"path":"refused.txt"}');
    await log()
      .getByText(/^Cost \$/)
      .nth(1)
      .waitFor();
    expect(await log().textContent()).toMatch(/no such file|not found|does not exist/i);
  });

  it('grants it once, and is asked again', async () => {
    await say(writes('first.txt'));
    await answer('Allow once');
    await say(writes('second.txt'));
    await answer('Allow once');
  });

  it('grants it for all of the session, and is not asked again', async () => {
    await say(writes('third.txt'));
    await answer('Allow always');
    const ended = await log()
      .getByText(/^Cost \$/)
      .count();
    await say(writes('third.txt'));
    await log()
      .getByText(/^Cost \$/)
      .nth(ended)
      .waitFor();
    expect(await question().count()).toBe(0);
    await keys.has('Message');
  });

  it('answers a question for input, and declines one', async () => {
    const fields = [
      { name: 'city', type: 'string', required: true },
      { name: 'nights', type: 'number' },
    ];
    await say(`/call ask ${JSON.stringify({ message: 'Where to?', fields })}`);
    await question().getByText('Where to?').waitFor();
    await keys.to('nights', 'Shift+Tab');
    await page.keyboard.type('3');
    await keys.to('city', 'Shift+Tab');
    await page.keyboard.type('Kyiv');
    await page.keyboard.press('Enter');
    await log()
      .getByText(/"city":"Kyiv"/)
      .waitFor();
    await say('/call ask {"message":"And when?"}');
    await answer('Decline');
    await log()
      .getByText(/declined to answer/)
      .waitFor();
  });

  it('keeps the conversation while it looks at another tab', async () => {
    await keys.to('Talk', 'Shift+Tab');
    await page.keyboard.press('ArrowRight');
    await page.getByRole('table', { name: 'Sessions' }).waitFor();
    await page.keyboard.press('ArrowLeft');
    await log()
      .getByText(/declined to answer/)
      .waitFor();
  });

  it('continues a session of the list, and deletes it', async () => {
    await opened.goto(new URL(page.url()).pathname.replace('/console', ''));
    await keys.to('Talk');
    await page.keyboard.press('ArrowRight');
    const session = (await page.getByRole('table', { name: 'Sessions' }).getByRole('link').textContent())!;
    await keys.press(`Continue ${session}`);
    await page.getByText(`Your message continues the session ${session}`).waitFor();
    await say('Hello');
    await log()
      .getByText(/^Cost \$/)
      .waitFor();
    await keys.to('Talk', 'Shift+Tab');
    await page.keyboard.press('ArrowRight');
    await keys.press(`Delete ${session}`);
    await keys.has('Delete');
    await page.keyboard.press('Enter');
    await page.getByText('It has no session yet.').waitFor();
  });

  it('stores a secret with its host', async () => {
    await keys.to('tab "Sessions"', 'Shift+Tab');
    await page.keyboard.press('ArrowRight');
    await keys.press('Add');
    await keys.fill('Name', 'api_token');
    await keys.fill('Value', 'very-secret-value');
    await keys.fill('Hosts', 'api.example.com');
    await page.keyboard.press('Enter');
    await keys.press('Save');
    await row('api_token').getByText('api.example.com').waitFor();
    expect(await page.content()).not.toContain('very-secret-value');
  });

  it('suspends the intern', async () => {
    await keys.to('Suspend', 'Shift+Tab');
    await page.keyboard.press('Enter');
    await page.getByText('stopped', { exact: true }).waitFor();
    await keys.has('Start');
  });
});
