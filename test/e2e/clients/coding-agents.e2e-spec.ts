import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { LONG_TESTS } from '../../support/long-tests.js';
import { settledSpend } from '../../support/account-totals.js';
import { operate } from '../../support/operator-process.js';
import {
  goodScript,
  startScriptedChatVendor,
  type ChatScript,
  type ScriptedChatVendor,
  type SeenChatCall,
} from '../../support/scripted-chat-vendor.js';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.js';
import { startTestService, TEST_API_KEY, type TestService } from '../../support/test-service.js';
import { WIRE_FORMATS } from '../../support/wire-formats.js';

/** Their licences allow no dependency on them: they are installed for the test, in a folder of its own. */
const CLAUDE_CODE = '@anthropic-ai/claude-code@2.1.197';
const CODEX = '@openai/codex@0.169.0';
/** The model that this version of Codex names by itself, which is newer than the catalogue. */
const MODEL_OF_CODEX = 'gpt-6.1-sol';

const WORD = 'gatehouse-round-trip';
const PROMPT = `Run echo ${WORD} and tell me what it prints.`;
const DONE = { text: ['The tool ', 'answered.'] };
const INSTALL_TIMEOUT_MS = 600_000;
const AGENT_TIMEOUT_MS = 120_000;

const run = promisify(execFile);

/** The vendor requests one call of a tool that prints the word, and finishes once it has the output. */
function toolRoundTrip(call: SeenChatCall): ChatScript {
  const { path, json } = call;
  if (json.stream !== true) return goodScript(call);
  const isMessages = path.endsWith('/messages');
  const { events, stop, usage } = WIRE_FORMATS[isMessages ? 'messages' : 'responses'];
  const last = JSON.stringify((json.messages ?? json.input).at(-1));
  if (last.includes('tool_result') || last.includes('custom_tool_call_output'))
    return { bytes: Buffer.concat(events({ ...DONE, finish: stop, usage })) };
  if (!isMessages) return { events: codexCall() };
  const bash = { id: 'toolu_1', name: 'Bash', input: { command: `echo ${WORD}`, description: 'Print a word' } };
  return { bytes: Buffer.concat(events({ call: bash, finish: 'tool_use', usage })) };
}

/** Codex runs commands by a custom tool that takes JavaScript. */
function codexCall(): object[] {
  const input = `text(await tools.exec_command({ cmd: "echo ${WORD}" }))`;
  const base = { id: 'ctc_1', type: 'custom_tool_call', call_id: 'call_1', namespace: 'functions', name: 'exec' };
  const item = { ...base, status: 'completed', input };
  const response = WIRE_FORMATS.responses.json({ finish: 'completed', usage: WIRE_FORMATS.responses.usage });
  return [
    { type: 'response.created', response: { ...response, status: 'in_progress', usage: null } },
    { type: 'response.output_item.added', output_index: 0, item: { ...base, status: 'in_progress', input: '' } },
    { type: 'response.custom_tool_call_input.delta', item_id: 'ctc_1', output_index: 0, delta: input },
    { type: 'response.custom_tool_call_input.done', item_id: 'ctc_1', output_index: 0, input },
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response: { ...response, output: [item] } },
  ].map((event, index) => ({ ...event, sequence_number: index }));
}

(LONG_TESTS ? describe : describe.skip)('a coding agent, unmodified, with two settings and no model named', () => {
  let folder: TemporaryFolder;
  let vendor: ScriptedChatVendor;
  let service: TestService;
  beforeAll(async () => {
    folder = await temporaryFolder();
    vendor = await startScriptedChatVendor(toolRoundTrip);
    service = await startTestService({
      env: {
        ANTHROPIC_API_KEY: 'sk-ant-scripted',
        ANTHROPIC_BASE_URL: vendor.baseUrl,
        OPENAI_API_KEY: 'sk-scripted',
        OPENAI_BASE_URL: vendor.baseUrl,
      },
    });
    await mkdir(join(folder.path, 'work'));
    const install = ['install', '--no-save', '--no-audit', '--no-fund', CLAUDE_CODE, CODEX];
    await run('npm', install, { cwd: folder.path, timeout: INSTALL_TIMEOUT_MS });
    await run(process.execPath, ['node_modules/@anthropic-ai/claude-code/install.cjs'], { cwd: folder.path });
  }, INSTALL_TIMEOUT_MS);
  afterAll(async () => {
    await service?.stop();
    await vendor?.close();
    await folder?.remove();
  });

  async function agent(name: string, args: readonly string[], env: Readonly<Record<string, string>>): Promise<string> {
    const running = run(join(folder.path, 'node_modules/.bin', name), args, {
      cwd: join(folder.path, 'work'),
      timeout: AGENT_TIMEOUT_MS,
      env: { PATH: process.env['PATH'], HOME: folder.path, ...env },
    });
    running.child.stdin?.end();
    return (await running).stdout;
  }

  /** What the tool printed, as the vendor got it back. */
  const toolOutput = (): string => {
    const { json } = vendor.seen.at(-1)!;
    return JSON.stringify((json.messages ?? json.input).at(-1));
  };

  it('Claude Code runs a tool by /messages, and its own cost is what it is billed', async () => {
    const before = await settledSpend(service.sql);
    const printed = await agent('claude', ['-p', PROMPT, '--allowedTools', 'Bash(echo:*)', '--output-format', 'json'], {
      ANTHROPIC_BASE_URL: `${service.origin}/api`,
      ANTHROPIC_AUTH_TOKEN: TEST_API_KEY,
      ANTHROPIC_API_KEY: '',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    });
    const result = JSON.parse(printed) as { is_error: boolean; result: string; total_cost_usd: number };

    expect([result.is_error, result.result]).toEqual([false, DONE.text.join('')]);
    expect(toolOutput()).toContain(WORD);
    expect(Math.round(result.total_cost_usd * 1e9)).toBe(Number((await settledSpend(service.sql)) - before));
  }, 180_000);

  it('Codex runs a tool by /responses, with an alias for the model that it names', async () => {
    await operate(
      { DATABASE_URL: service.databaseUrl },
      'models',
      'alias',
      'set',
      MODEL_OF_CODEX,
      'openai/gpt-5.3-codex',
    );
    const address = `openai_base_url="${service.origin}/api/v1"`;
    const printed = await agent(
      'codex',
      ['exec', '-c', address, '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox', PROMPT],
      { CODEX_API_KEY: TEST_API_KEY },
    );

    expect(printed).toContain(DONE.text.join(''));
    expect(toolOutput()).toContain(WORD);
    expect(vendor.seen.at(-1)!.path).toBe('/v1/responses');
  }, 180_000);
});

if (!LONG_TESTS) process.stderr.write('SKIPPED: the coding agents are installed and run with LONG_TESTS=1\n');
