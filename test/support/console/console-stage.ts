import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { chromium, type Browser, type BrowserContext, type BrowserContextOptions, type Page } from 'playwright-core';
import { newCode } from './console-browser.js';
import { startTestService, type TestService, type TestServiceOptions } from '../services/test-service.js';
import { CHROMIUM } from './chromium.js';

/** The browser tests need Debian's package `chromium`; without it they are skipped. */
export const describeInChromium = existsSync(CHROMIUM) ? describe : describe.skip;

/** What a page did that it must not do. */
export interface PageFaults {
  /** Errors of the browser's console, and exceptions of scripts. */
  readonly errors: string[];
  readonly foreignRequests: string[];
}

export interface ConsoleStage {
  readonly service: TestService;
  readonly browser: Browser;
  /** A page in a browser of its own, signed in as the owner of the first account unless `isSignedIn` is false. */
  open(options?: BrowserContextOptions & { readonly isSignedIn?: boolean }): Promise<ConsolePage>;
  stop(): Promise<void>;
}

export interface ConsolePage {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly faults: PageFaults;
  /** Opens a page of the console; `path` begins below /console. */
  goto(path: string): Promise<void>;
}

/** A service with the built console, and Chromium. */
export async function startConsoleStage(options: TestServiceOptions = {}): Promise<ConsoleStage> {
  // Of the build that the project `system` runs (system-setup.mjs).
  const console = resolve(process.env['GATEHOUSE_TEST_BUILD']!, '../console');
  const env = { CONSOLE_DIR: console, RATE_LIMIT_SIGN_IN: 'off', ...options.env };
  const service = await startTestService({ ...options, env });
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] });
  const open: ConsoleStage['open'] = async ({ isSignedIn = true, ...context } = {}) => {
    const opened = await openPage(service, await browser.newContext({ reducedMotion: 'reduce', ...context }));
    if (isSignedIn) await signInByLink(opened, service);
    return opened;
  };
  return {
    service,
    browser,
    open,
    stop: async () => {
      await browser.close();
      await service.stop();
    },
  };
}

async function openPage(service: TestService, context: BrowserContext): Promise<ConsolePage> {
  const page = await context.newPage();
  const faults: PageFaults = { errors: [], foreignRequests: [] };
  page.on('console', (message) => {
    if (message.type() === 'error') faults.errors.push(`${message.text()} ${message.location().url}`);
  });
  page.on('pageerror', (error) => faults.errors.push(error.message));
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.protocol.startsWith('http') && url.origin !== service.origin) faults.foreignRequests.push(request.url());
  });
  const goto = async (path: string): Promise<void> => {
    await page.goto(`${service.origin}/console${path}`);
  };
  return { page, context, faults, goto };
}

/** As the link of the first start: one click. */
export async function signInByLink({ page, goto }: ConsolePage, service: TestService): Promise<void> {
  await goto(`/#code=${await newCode(service)}`);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
}
