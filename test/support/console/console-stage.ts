import { resolve } from 'node:path';
import { chromium, type Browser, type BrowserContext, type BrowserContextOptions, type Page } from 'playwright-core';
import type { MemberId } from '../../../src/auth/member-keys.js';
import { firstOwner, signedInAs } from './console-browser.js';
import { TIME_LIMIT_FACTOR } from '../time-limits.js';
import { startTestService, type TestService, type TestServiceOptions } from '../services/test-service.js';
import { CHROMIUM } from './chromium.js';

/**
 * Skips the browser tests if Chromium is not installed. Reads `describe` at each call, because all files of a Jest
 * worker share this module, and each file has its own `describe`.
 */
export const describeInChromium = (name: string, tests: () => void): void =>
  CHROMIUM ? describe(name, tests) : describe.skip(name, tests);

/** The faults of a page. */
export interface PageFaults {
  /** Errors in the browser's console, and exceptions of scripts. */
  readonly errors: string[];
  readonly foreignRequests: string[];
}

interface OpenOptions {
  readonly isSignedIn?: boolean;
  /** Default: the owner of the first account. */
  readonly member?: MemberId;
}

export interface ConsoleStage {
  readonly service: TestService;
  readonly browser: Browser;
  /** An empty page in a new browser context, signed in as `member` unless `isSignedIn` is false. */
  open(options?: BrowserContextOptions & OpenOptions): Promise<ConsolePage>;
  stop(): Promise<void>;
}

export interface ConsolePage {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly faults: PageFaults;
  /** Returns and clears the faults so far. */
  takeFaults(): string[];
  /** Opens a page of the console; `path` is below /console. */
  goto(path: string): Promise<void>;
}

/** A service with the built console, and Chromium. */
export async function startConsoleStage(options: TestServiceOptions = {}): Promise<ConsoleStage> {
  // Uses the build that the project `system` runs (system-setup.mjs).
  const console = resolve(process.env['GATEHOUSE_TEST_BUILD']!, '../console');
  const env = { CONSOLE_DIR: console, RATE_LIMIT_SIGN_IN: 'off', ...options.env };
  const service = await startTestService({ ...options, env });
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] });
  const open: ConsoleStage['open'] = async ({ isSignedIn = true, member, ...context } = {}) => {
    const opened = await openPage(service, await browser.newContext({ reducedMotion: 'reduce', ...context }));
    if (isSignedIn) await signIn(opened.context, service, member ?? (await firstOwner(service)));
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
  context.setDefaultTimeout(30_000 * TIME_LIMIT_FACTOR);
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
  const takeFaults = (): string[] => [...faults.errors.splice(0), ...faults.foreignRequests.splice(0)];
  return { page, context, faults, takeFaults, goto };
}

/** Gives the context the cookie of a new session. Loading the pages of the sign-in would take a second of CPU time. */
async function signIn(context: BrowserContext, service: TestService, member: MemberId): Promise<void> {
  const { cookie } = await signedInAs(service, member);
  const [name, value] = cookie!.split('=', 2) as [string, string];
  const { hostname: domain } = new URL(service.origin);
  await context.addCookies([{ name, value, domain, path: '/console', httpOnly: true, sameSite: 'Strict' }]);
}
