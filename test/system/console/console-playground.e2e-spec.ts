import type { Page } from 'playwright-core';
import { axeFindings } from '../../support/console/axe-findings.js';
import { describeInChromium } from '../../support/console/console-stage.js';
import {
  PICTURE,
  PICTURE_URL,
  startPlaygroundStage,
  type PlaygroundStage,
} from '../../support/console/playground-stage.js';
import { eventually } from '../../support/eventually.js';
import { chatChunk, finishChunk, usageChunk } from '../../support/vendors/scripted-chat-vendor.js';

const CLOCK = { type: 'function', function: { name: 'clock', parameters: { type: 'object', properties: {} } } };

describeInChromium('the playground', () => {
  let at: PlaygroundStage;
  let page: Page;
  beforeAll(async () => {
    at = await startPlaygroundStage();
    page = at.page;
  }, 180_000);
  afterAll(() => at.stop());
  afterEach(() => expect(at.opened.takeFaults()).toEqual([]));

  const dialog = () => page.getByRole('dialog');

  describe('has parameters, which', () => {
    beforeAll(async () => {
      await at.goto('builtin/eliza');
      await page.getByText('Parameters').click();
    });

    it('are in the call and in its code', async () => {
      await page.getByLabel('Max tokens').fill('3');
      await at.prompt.fill('I feel sad today');
      await page.getByText('"max_tokens":3').first().waitFor();
      await at.send();
      await page.getByText(/^Cost /).waitFor();
      // The record is written after the stream has ended.
      await eventually(async () => {
        const [call] = (await at.stage.service.management.get('/generations')).json.data;
        expect(call.tokens_completion).toBeLessThanOrEqual(3);
      });
    });

    it('report their faults before anything is sent', async () => {
      await page.getByLabel('Temperature').fill('warm');
      await page.getByText('A number is needed').waitFor();
      expect(await page.getByRole('button', { name: 'Send' }).isDisabled()).toBe(true);
      await page.getByLabel('Temperature').fill('');
      await page.getByLabel('Tools').fill('{');
      await page.getByText(/A list of tools in JSON is needed/).waitFor();
    });

    it('offer tools, whose calls are shown', async () => {
      await page.getByLabel('Max tokens').fill('');
      await page.getByLabel('Tools').fill(JSON.stringify([CLOCK]));
      await at.prompt.fill('/call clock {"zone":"UTC"}');
      await at.send();
      await page.getByText('Calls the tool clock with {"zone":"UTC"}').waitFor();
      expect(await page.getByText('Calls the tool clock').count()).toBe(1);
    });
  });

  it('shows reasoning separately, open until the answer begins', async () => {
    const released = Promise.withResolvers<void>();
    at.vendor.script({
      events: [
        chatChunk({ role: 'assistant', reasoning_content: 'Let me think.' }),
        chatChunk({ content: 'Forty-two' }),
        finishChunk('stop'),
        usageChunk(),
        '[DONE]',
      ],
      holdAfter: 1,
      released: released.promise,
    });
    await at.goto('rules/sees');
    await at.prompt.fill('Why?');
    await at.send();
    await page.getByText('Let me think.').waitFor();
    released.resolve();
    await page.getByText('Forty-two').waitFor();
    await page.getByText('Let me think.').waitFor({ state: 'hidden' });
    await at.lane('rules/sees').getByText('Reasoning', { exact: true }).click();
    await page.getByText('Let me think.').waitFor();
    expect(await page.getByText('Forty-two').textContent()).toBe('Forty-two');
  });

  it('keeps a conversation after a reload, and continues it', async () => {
    await at.goto('rules/sees');
    await page.getByLabel('System prompt').fill('Be brief');
    await page.locator('input[type=file]').setInputFiles(PICTURE);
    await at.files.waitFor();
    await at.say('The first prompt');
    await page.waitForURL(/talk=/);
    await page.reload();
    await at.lane('rules/sees').getByText('The first prompt').waitFor();
    expect(await page.getByLabel('System prompt').inputValue()).toBe('Be brief');
    await at.say('The second prompt');
    const { messages } = at.vendor.seen.at(-1)!.json;
    expect(messages.map(({ role }: { role: string }) => role)).toEqual(['system', 'user', 'assistant', 'user']);
    expect(messages[1].content[1]).toEqual({ type: 'image_url', image_url: { url: PICTURE_URL } });
  });

  it('lists the conversations of this browser, opens one, and sends nothing about them', async () => {
    await page.getByRole('button', { name: 'New conversation' }).click();
    await page.waitForURL((url) => !url.search.includes('talk='));
    await page.getByText('No answer yet').waitFor();
    const requests: string[] = [];
    page.on('request', (request) => void requests.push(request.method()));
    await page.getByRole('button', { name: 'History' }).click();
    await dialog().getByRole('link', { name: 'The first prompt' }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await dialog().getByRole('link', { name: 'The first prompt' }).click();
    await at.lane('rules/sees').getByText('The second prompt').waitFor();
    expect(requests.filter((method) => method !== 'GET')).toEqual([]);
  });

  it('deletes one conversation, and all', async () => {
    const rows = () =>
      dialog()
        .getByRole('row')
        .filter({ has: page.getByRole('link') });
    await page.getByRole('button', { name: 'History' }).click();
    await rows().first().waitFor();
    const before = await rows().count();
    await page.getByRole('button', { name: 'Delete The first prompt' }).click();
    await dialog().getByRole('link', { name: 'The first prompt' }).waitFor({ state: 'detached' });
    expect(await rows().count()).toBe(before - 1);
    await page.getByRole('button', { name: 'Delete all conversations' }).click();
    await page.getByRole('button', { name: 'Delete all', exact: true }).click();
    await dialog().getByText('No conversations yet').waitFor();
    const kept = await page.evaluate<string>('JSON.stringify(localStorage)');
    expect(kept).not.toContain('The first prompt');
  });

  it('shows what a call on an own credential costs at this service, and at the vendor', async () => {
    const own = { provider: 'openai', key: 'sk-own-0123456789abcdef' };
    await at.stage.service.management.post('/byok', { json: own });
    await at.goto('rules/sees');
    await at.say('Hello');
    await page.getByText(/^\$0\.00 here, about \$0\.000025 at OpenAI ·/).waitFor();
    await at.lane('rules/sees').getByRole('link', { name: 'Call' }).click();
    await page.getByText(/^\$0\.00 here, about \$0\.000025 at OpenAI: the call used an own credential/).waitFor();
    expect(at.vendor.seen.at(-1)!.headers.authorization).toBe(`Bearer ${own.key}`);
  });
});
