import { chromium } from 'playwright-core';
import { CHROMIUM } from './chromium.js';

/** The number of actions and the time from the link of the first start to the first response. */
export interface NewcomerRun {
  readonly clicks: number;
  readonly keystrokes: number;
  readonly seconds: number;
  readonly answer: string;
}

/** A script that counts the clicks and keystrokes on a page, as `counted`. */
export const COUNTER = `globalThis.counted = { clicks: 0, keystrokes: 0 };
  addEventListener('pointerdown', () => { counted.clicks++; }, true);
  addEventListener('keydown', () => { counted.keystrokes++; }, true);`;

/** Opens the link, signs in, goes to the playground, and chats. */
export async function firstChat(link: string): Promise<NewcomerRun> {
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  try {
    const page = await browser.newPage();
    await page.addInitScript(COUNTER);
    const start = performance.now();
    await page.goto(link);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('link', { name: 'Chat in the playground' }).click();
    await page.getByLabel('Prompt', { exact: true }).click();
    await page.keyboard.type('Hello');
    await page.keyboard.press('Enter');
    const lane = page.getByRole('region', { name: 'builtin/eliza' });
    await lane.getByText(/^Cost \$/).waitFor();
    const seconds = (performance.now() - start) / 1000;
    const counted = await page.evaluate<{ clicks: number; keystrokes: number }>('counted');
    return { ...counted, seconds, answer: (await lane.textContent())! };
  } finally {
    await browser.close();
  }
}
