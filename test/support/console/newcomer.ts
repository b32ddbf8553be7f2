import { chromium } from 'playwright-core';
import { CHROMIUM } from './chromium.js';

/** What a person did from the link of the first start to the first answer. */
export interface NewcomerRun {
  readonly clicks: number;
  readonly keystrokes: number;
  readonly seconds: number;
  readonly answer: string;
}

/** A script of a page that counts the clicks and keystrokes since it was opened, as `counted`. */
export const COUNTER = `globalThis.counted = { clicks: 0, keystrokes: 0 };
  addEventListener('pointerdown', () => { counted.clicks++; }, true);
