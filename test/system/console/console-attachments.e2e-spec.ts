import { execFile } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { axeFindings } from '../../support/console/axe-findings.js';
import { describeInChromium } from '../../support/console/console-stage.js';
import {
  PICTURE,
  PICTURE_URL,
  startPlaygroundStage,
  type PlaygroundStage,
} from '../../support/console/playground-stage.js';
import { TEST_API_KEY } from '../../support/services/test-service.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { PIXEL } from '../../support/vendors/scripted-vendor.js';

const FILES = [
  PICTURE,
  { name: 'notes.md', mimeType: 'text/markdown', buffer: Buffer.from('# Notes') },
  { name: 'paper.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4') },
];
const PYTHON_CLIENT = `
import json, urllib.request
class OpenAI:
    def __init__(self, base_url, api_key):
        self.base_url, self.api_key = base_url, api_key
        self.chat = self.completions = self
    def create(self, **body):
        headers = {'Authorization': f'Bearer {self.api_key}', 'Content-Type': 'application/json'}
        request = urllib.request.Request(f'{self.base_url}/chat/completions', json.dumps(body).encode(), headers)
        urllib.request.urlopen(request).read()
        return []
`;
const PNG = `{ type: 'image/png' }`;

describeInChromium('the playground with files', () => {
  let at: PlaygroundStage;
  let page: Page;
  beforeAll(async () => {
    at = await startPlaygroundStage();
    page = at.page;
  }, 180_000);
  afterAll(() => at.stop());
  afterEach(() => expect(at.opened.takeFaults()).toEqual([]));

  /** Dispatches the event of a browser for files that are pasted from the clipboard or dragged to the prompt. */
  async function give(way: 'paste' | 'drop', ...given: readonly string[]): Promise<void> {
    const types = { paste: ['ClipboardEvent', 'clipboardData'], drop: ['DragEvent', 'dataTransfer'] } as const;
    const [type, member] = types[way];
    await at.prompt.focus();
    await page.evaluate(`{
      const data = new DataTransfer();
      for (const file of [${given.join()}]) data.items.add(file);
      const event = new ${type}('${way}', { bubbles: true, cancelable: true, ${member}: data });
      document.activeElement.dispatchEvent(event);
    }`);
  }

  it('names the models that take no files, and offers no files for them', async () => {
    await at.goto('builtin/eliza');
    await page.getByText('builtin/eliza takes no pictures or files.').waitFor();
    expect(await page.getByRole('button', { name: 'Attach' }).isDisabled()).toBe(true);
    await at.goto('rules/sees', 'builtin/eliza');
    await page.getByText('builtin/eliza takes no pictures or files.').waitFor();
  });

  it('sends chosen pictures, PDF and text with the prompt', async () => {
    await at.goto('rules/sees');
    await page.locator('input[type=file]').setInputFiles(FILES);
    await at.files.getByText('paper.pdf, 8 B').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await at.say('What is this?');
    const data = (type: string, text: string): string => `data:${type};base64,${Buffer.from(text).toString('base64')}`;
    expect(at.vendor.seen.at(-1)!.json.messages).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is this?' },
          { type: 'image_url', image_url: { url: PICTURE_URL } },
          { type: 'file', file: { filename: 'notes.md', file_data: data('text/markdown', '# Notes') } },
          { type: 'file', file: { filename: 'paper.pdf', file_data: data('application/pdf', '%PDF-1.4') } },
        ],
      },
    ]);
    await at
      .lane('rules/sees')
      .getByText(/^pixel\.png, /)
      .waitFor();
    expect(await at.files.count()).toBe(0);
  });

  it.each([
    ['curl', ['bash', 'call.sh']],
    ['openai (JavaScript)', [process.execPath, 'call.mjs']],
    ['openai (Python)', ['python3', 'call.py']],
  ] as const)(
    'shows code for %s that reads the files and sends the same call as the page',
    async (label, [command, name]) => {
      const sent = at.vendor.seen.at(-1)!.json.messages;
      await page.getByRole('tab', { name: label }).click();
      const code = (await page.getByRole('region', { name: `Call by ${label}` }).textContent())!;
      await page.getByText('It reads pixel.png, notes.md, paper.pdf in the folder where it runs.').waitFor();
      const folder = await temporaryFolder();
      try {
        for (const file of FILES) await writeFile(join(folder.path, file.name), file.buffer);
        await mkdir(join(folder.path, 'node_modules'));
        await symlink(resolve('test/node_modules/openai'), join(folder.path, 'node_modules/openai'));
        // The Python package is not installed here. This replacement sends its arguments.
        await writeFile(join(folder.path, 'openai.py'), PYTHON_CLIENT);
        await writeFile(join(folder.path, name), code);
        const env = { ...process.env, KEY: TEST_API_KEY };
        const { stderr } = await promisify(execFile)(command, [name], { cwd: folder.path, env });
        expect(stderr).toBe('');
        expect(at.vendor.seen.at(-1)!.json.messages).toEqual(sent);
      } finally {
        await folder.remove();
      }
    },
  );

  it.each(['paste', 'drop'] as const)('accepts a picture by %s, and can remove the picture', async (way) => {
    await at.goto('rules/sees');
    await give(way, `new File([Uint8Array.from(atob('${PIXEL}'), (sign) => sign.charCodeAt(0))], 'pixel.png', ${PNG})`);
    await at.files.getByText(/^pixel\.png/).waitFor();
    await page.getByRole('button', { name: 'Remove pixel.png' }).click();
    await at.files.waitFor({ state: 'detached' });
  });

  it('refuses files that are too large or of another kind before the call', async () => {
    const calls = at.vendor.seen.length;
    const large = 'new Uint8Array(10_000_000).fill(1)';
    const song = `new File(['ID3'], 'song.mp3', { type: 'audio/mpeg' })`;
    await give('drop', song, `new File([${large}], 'one.png', ${PNG})`, `new File([${large}], 'two.png', ${PNG})`);
    await page.getByText('song.mp3 is neither PNG, JPEG, WebP, GIF, PDF nor text.').waitFor();
    await page.getByText('The files of the conversation have 20.0 MB, and a request takes 18.0 MB').waitFor();
    await at.prompt.fill('See');
    await page.keyboard.press('Enter');
    expect(await page.getByRole('button', { name: 'Send' }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Remove two.png' }).click();
    await page.getByText('The files of the conversation have').waitFor({ state: 'detached' });
    expect(at.vendor.seen).toHaveLength(calls);
  });
});
