import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BrowserContext } from 'playwright-core';
import { axeFindings } from './axe-findings.js';
import { eventually } from '../eventually.js';
import type { ConsolePage } from './console-stage.js';

/** The colour scheme and the width of the window in which a page is checked. */
export interface Look {
  readonly scheme: 'light' | 'dark';
  readonly width: number;
}

const WIDTHS = [1440, 1024, 390] as const;
export const LOOKS: readonly Look[] = WIDTHS.flatMap((width) =>
  (['light', 'dark'] as const).map((scheme) => ({ scheme, width })),
);
export const HEIGHT = 900;
/** Delays all responses of the API, so that the placeholders are visible. */
const API_DELAY_MS = 300;
export const MAX_LAYOUT_SHIFT = 0.05;
/** The time that charts need for drawing after the last response. */
const DRAWING_MS = 150;

/**
 * Sums the layout shifts of a page since its navigation, as `layoutShift`, and records the moved elements, as
 * `shifted`.
 */
export const OBSERVE_SHIFTS = `globalThis.layoutShift = 0;
  globalThis.shifted = [];
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries()) {
      if (hadRecentInput) continue;
      layoutShift += value;
      const rect = ({ y, height }) => Math.round(y) + '+' + Math.round(height);
      const nameOf = ({ node, previousRect, currentRect }) =>
        (node?.outerHTML ?? node?.textContent ?? '').slice(0, 60) +
        [' at', rect(previousRect), 'to', rect(currentRect)].join(' ');
      shifted.push(value.toFixed(3) + ' ' + sources.map(nameOf).join(' | '));
    }
  }).observe({ type: 'layout-shift', buffered: true });`;

/** Records layout shifts and delays the API in all later pages of a context, as `judgePage` needs it. */
export async function prepareWalk(context: BrowserContext): Promise<void> {
  await context.addInitScript(OBSERVE_SHIFTS);
  await context.route('**/console/api/**', async (route) => {
    await sleep(API_DELAY_MS);
    await route.continue().catch(() => undefined);
  });
}

/**
 * The faults of a page of the console, one line each: findings of axe, horizontal overflow, layout shifts, errors.
 * `heading` absent: any heading.
 */
export async function judgePage(opened: ConsolePage, path: string, heading?: string): Promise<string[]> {
  const { page, goto, takeFaults } = opened;
  await goto(path);
  const name = heading === undefined ? {} : { name: heading, exact: true };
  await page.getByRole('heading', { ...name, level: 1 }).waitFor();
  await page.waitForLoadState('networkidle');
  await eventually(async () => expect(await page.getByLabel('Loading', { exact: true }).count()).toBe(0));
  await sleep(DRAWING_MS);
  const findings = await axeFindings(page);
  const [width, viewport] = await page.evaluate<[number, number]>(
    '[document.documentElement.scrollWidth, document.documentElement.clientWidth]',
  );
  if (width > viewport) findings.push(`is ${width} pixels wide`);
  const shift = await page.evaluate<number>('layoutShift');
  if (shift >= MAX_LAYOUT_SHIFT)
    findings.push(`shifts by ${shift.toFixed(3)}: ${await page.evaluate<string>("shifted.join('; ')")}`);
  findings.push(...takeFaults());
  return findings.map((finding) => `${path} ${finding}`);
}

/** If SCREENSHOTS names a folder, saves a picture of the whole page there. */
export async function keepPicture({ page }: ConsolePage, who: string, path: string, look: Look): Promise<void> {
  const folder = process.env['SCREENSHOTS'];
  if (!folder) return;
  await mkdir(folder, { recursive: true });
  const name = path.replace(/[0-9a-f-]{32,}/, 'one').replaceAll(/[^a-z0-9-]+/gi, '_') || 'root';
  await page.screenshot({ path: join(folder, `${who}-${name}-${look.width}-${look.scheme}.png`), fullPage: true });
}
