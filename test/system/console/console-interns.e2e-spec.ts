import type { Locator, Page } from 'playwright-core';
import {
  describeInChromium,
  startConsoleStage,
  type ConsolePage,
  type ConsoleStage,
} from '../../support/console/console-stage.js';
import { axeFindings } from '../../support/console/axe-findings.js';
import { Keyboard } from '../../support/console/keyboard.js';

const writes = (path: string): string => `/call write_file ${JSON.stringify({ path, content: 'Hello' })}`;

describeInChromium('a person who works with models and interns by keyboard, in the console', () => {
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
  afterEach(() => expect([...opened.takeFaults(), ...keys.invisible.splice(0)]).toEqual([]));

  const row = (text: string) => page.getByRole('row').filter({ hasText: text });
  const log = () => page.getByRole('log');
  const question = () => page.getByRole('alert').filter({ hasText: 'The intern waits for you' });

  /** Sends a message, without waiting for the intern. */
  async function say(text: string): Promise<void> {
    await keys.fill('Message', text);
    await page.keyboard.press('Enter');
  }

  const costs = () => log().getByText(/^Cost \$/);

  /** Answers the question by pressing these buttons in order, and waits for the end of the turn. */
  async function answer(...buttons: readonly string[]): Promise<void> {
    await question().waitFor();
    const ended = await costs().count();
    for (const button of buttons) {
      await keys.to(button, 'Shift+Tab');
      await page.keyboard.press('Enter');
    }
    await costs().nth(ended).waitFor();
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

  it('refuses an operation of the intern', async () => {
    await say(writes('refused.txt'));
    await answer('Reject');
    await say('/call read_file {"path":"refused.txt"}');
    await log()
      .getByText(/^Cost \$/)
      .nth(1)
      .waitFor();
    expect(await log().textContent()).toMatch(/no such file|not found|does not exist/i);
  });

  it('sees in the question the call and its argument, before and after the answer', async () => {
    await say(writes('first.txt'));
    await question().waitFor();
    const path = (place: Locator) =>
      place.getByRole('table', { name: 'Arguments of write_file' }).getByRole('row', { name: 'path first.txt' });
    await path(question()).waitFor();
    await answer('Allow once');
    await path(log()).waitFor();
    await log()
      .getByText(/^You allowed it once; the intern went on after [\d.,]+ m?s$/)
      .waitFor();
  });

  it('allows an operation once, and is asked again for the next operation', async () => {
    await say(writes('second.txt'));
    await answer('Allow once');
  });

  it('reads what "always" means before choosing it, and then gets no further question', async () => {
    await say(writes('third.txt'));
    await question().waitFor();
    const weightOf = (name: string) => page.getByRole('button', { name }).getAttribute('data-variant');
    expect(await weightOf('Allow once')).not.toBe(await weightOf('Always allow…'));
    await keys.to('Always allow…', 'Shift+Tab');
    await page.keyboard.press('Enter');
    await keys.has('Back');
    await question().getByText('Always allow every change of a file on the disk of the intern?').waitFor();
    await question()
      .getByText(/for this session until the session is deleted/)
      .waitFor();
    await page.keyboard.press('Enter');
    await keys.has('Always allow…');
    await page.keyboard.press('Enter');
    await answer('Always allow');
    const ended = await costs().count();
    await say(writes('third.txt'));
    await costs().nth(ended).waitFor();
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

  it('keeps the conversation while another tab is open', async () => {
    await keys.to('Talk', 'Shift+Tab');
    await page.keyboard.press('ArrowRight');
    await page.getByRole('table', { name: 'Sessions' }).waitFor();
    await page.keyboard.press('ArrowLeft');
    await log()
      .getByText(/declined to answer/)
      .waitFor();
  });

  it('continues a session of the list, and deletes the session', async () => {
    await opened.goto(new URL(page.url()).pathname.replace('/console', ''));
    await keys.to('Talk');
    await page.keyboard.press('ArrowRight');
    const session = (await page.getByRole('table', { name: 'Sessions' }).getByRole('link').textContent())!;
    await keys.press(`Continue ${session}`);
    await log()
      .getByText(/declined to answer/)
      .waitFor();
    const ended = await costs().count();
    await say('Hello');
    await costs().nth(ended).waitFor();
    await keys.to('Talk', 'Shift+Tab');
    await page.keyboard.press('ArrowRight');
    await keys.press(`Delete ${session}`);
    await keys.has('Delete');
    await page.keyboard.press('Enter');
    await page.getByText('It has no session yet.').waitFor();
  });

  it('sees the conversation and the open question after a reload', async () => {
    await keys.to('tab "Sessions"', 'Shift+Tab');
    await page.keyboard.press('ArrowLeft');
    await say(writes('fourth.txt'));
    await question().waitFor();
    await page.waitForURL(/session=/);
    await page.reload();
    await log()
      .getByText(/fourth\.txt/)
      .waitFor();
    await question().waitFor();
  });

  it('sees the number of open questions next to "Interns" and in the row, until they are answered', async () => {
    const pages = () => page.getByRole('navigation', { name: 'Pages' });
    const badged = page.getByRole('link', { name: /^Interns\s+1 question waits$/ });
    await badged.waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await badged.press('Enter');
    await row('ada').getByRole('link', { name: '1 question waits: ada' }).press('Enter');
    await answer('Allow once');
    await pages().getByRole('link', { name: 'Interns', exact: true }).waitFor();
    await page.reload();
    await log().getByText('You allowed it once').waitFor();
    await costs().waitFor();
  });

  it('stores a secret with its host', async () => {
    await keys.to('tab "Talk"', 'Shift+Tab');
    await page.keyboard.press('ArrowRight');
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

  it('leaves nothing of the conversation in the browser after the sign-out', async () => {
    const kept = () => page.evaluate<string>('JSON.stringify(localStorage)');
    expect(await kept()).toContain('fourth.txt');
    await page.getByRole('button', { name: 'Session', exact: true }).press('Enter');
    await page.getByRole('menuitem', { name: 'Sign out' }).press('Enter');
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(await kept()).not.toMatch(/fourth\.txt|gatehouse\.talk/);
  });
});
