import { LONG_TESTS } from '../../../support/long-tests.js';
import { signedIn } from '../../../support/console/console-browser.js';
import { describeInChromium, type ConsoleStage } from '../../../support/console/console-stage.js';
import { startDemoStage } from '../../../support/console/demo-stage.js';
import { BUILD_TASKS } from '../../../support/console/tasks/build-tasks.js';
import { SPEND_TASKS } from '../../../support/console/tasks/spend-tasks.js';
import { TaskHand, type Mode } from '../../../support/console/tasks/task-hand.js';
import {
  goodScript,
  startScriptedChatVendor,
  type ScriptedChatVendor,
} from '../../../support/vendors/scripted-chat-vendor.js';

const CALLS = 1_000;
const MAX_CLICKS = 6;
const TASKS = [...SPEND_TASKS, ...BUILD_TASKS];
const LISTED = { body: { data: [{ id: 'vendor-model' }, { id: 'another' }] } };

const WAYS: readonly { readonly way: string; readonly mode: Mode; readonly width: number }[] = [
  { way: 'with a mouse at 1440 px', mode: 'mouse', width: 1440 },
  { way: 'by touch at 390 px', mode: 'touch', width: 390 },
  { way: 'by keyboard', mode: 'keyboard', width: 1440 },
];

describeInChromium('twelve tasks in the console', () => {
  let stage: ConsoleStage;
  let vendor: ScriptedChatVendor;
  const done: { task: string; way: string; clicks: number; fields: number; seconds: string }[] = [];

  beforeAll(async () => {
    vendor = await startScriptedChatVendor((call) => (call.path.endsWith('/models') ? LISTED : goodScript(call)));
    stage = await startDemoStage(CALLS, {
      INTERN_RUNTIME: 'process',
      OPENAI_API_KEY: 'sk-environment-credential-0123456789',
      OPENAI_BASE_URL: vendor.baseUrl,
      CHANNEL_PRIVATE_ADDRESSES: 'on',
    });
  }, 180_000);
  afterAll(async () => {
    await stage.stop();
    await vendor.close();
    process.stdout.write(
      done
        .map(
          ({ task, way, ...row }) => `${row.clicks} clicks, ${row.fields} fields, ${row.seconds} s: ${task}, ${way}\n`,
        )
        .join(''),
    );
  });

  // In a short run, each task is tested in only one of the ways.
  describe.each(WAYS.map((each, turn) => ({ ...each, turn })))('$way', ({ way, mode, width, turn }) => {
    it.each(TASKS.filter((_, at) => LONG_TESTS || at % WAYS.length === turn))(
      `take at most ${MAX_CLICKS} clicks: $name`,
      async ({ name, before, run }) => {
        const { page, goto, faults, context } = await stage.open({
          viewport: { width, height: 900 },
          hasTouch: mode === 'touch',
          timezoneId: 'UTC',
          permissions: ['clipboard-read', 'clipboard-write'],
        });
        const hand = new TaskHand(page, mode);
        const place = { hand, page, service: stage.service, api: await signedIn(stage.service), suffix: mode };
        await before?.(place);
        await goto('/');
        await page.getByRole('link', { name: 'All in Usage' }).first().waitFor();
        await page.waitForLoadState('networkidle');
        const since = performance.now();
        await run(place);
        const seconds = ((performance.now() - since) / 1_000).toFixed(1);
        done.push({ task: name, way, clicks: hand.clicks, fields: hand.fields, seconds });
        expect(hand.clicks).toBeLessThanOrEqual(MAX_CLICKS);
        expect(hand.invisible).toEqual([]);
        expect(faults).toEqual({ errors: [], foreignRequests: [] });
        await context.close();
      },
      120_000,
    );
  });
});
