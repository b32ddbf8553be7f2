import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CLIENTS } from '../../../console/src/clients/client-lines.js';
import { LONG_TESTS } from '../../support/long-tests.js';
import { settledSpend } from '../../support/money/account-totals.js';
import {
  goodScript,
  startScriptedChatVendor,
  type ChatScript,
  type ScriptedChatVendor,
  type SeenChatCall,
} from '../../support/vendors/scripted-chat-vendor.js';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.js';
import { startTestService, TEST_API_KEY, type TestService } from '../../support/services/test-service.js';
import type { VendorTurn } from '../../support/vendors/text-vendor-formats.js';
import { WIRE_FORMATS } from '../../support/vendors/wire-formats.js';

/** The licences of coding agents do not allow a dependency, so the test installs them into a separate folder. */
const CLAUDE_CODE = '@anthropic-ai/claude-code@2.1.330';
const CODEX = '@openai/codex@0.169.0';
const OPENCODE = 'opencode-ai@1.18.33';

const WORD = 'gatehouse-round-trip';
const COMMAND = `echo ${WORD}`;
const PROMPT = `Run ${COMMAND} and tell me what it prints.`;
const DONE = { text: ['The tool ', 'answered.'] };
const INSTALL_TIMEOUT_MS = 600_000;
const AGENT_TIMEOUT_MS = 120_000;

const run = promisify(execFile);

/** The vendor calls a tool that prints the word once, and ends the turn when it receives the output. */
function toolRoundTrip(call: SeenChatCall): ChatScript {
  const { path, json } = call;
  if (json.stream !== true) return goodScript(call);
  const format = path.endsWith('/messages') ? 'messages' : path.endsWith('/responses') ? 'responses' : 'chat';
  const { events, stop, usage } = WIRE_FORMATS[format];
  const last = JSON.stringify((json.messages ?? json.input).at(-1));
  if (/tool_result|_call_output|"role":"tool"/.test(last))
    return { bytes: Buffer.concat(events({ ...DONE, finish: stop, usage })) };
  if (format === 'responses') return { events: codexCall() };
  const tool = toolOf(json.tools ?? []);
  if (!tool) return { bytes: Buffer.concat(events({ ...DONE, finish: stop, usage })) };
  const finish = format === 'messages' ? 'tool_use' : 'tool_calls';
  return { bytes: Buffer.concat(events({ call: tool, finish, usage })) };
}

/** A call of the tool that runs commands, for any of the agents. */
function toolOf(tools: readonly { name?: string; function?: { name: string } }[]): VendorTurn['call'] {
  const names = tools.map((tool) => tool.function?.name ?? tool.name);
  const name = names.find((each) => each === 'Bash' || each === 'bash' || each === 'exec_command');
  if (name === undefined) return undefined;
  const input = name === 'exec_command' ? { cmd: COMMAND } : { command: COMMAND, description: 'Print a word' };
  return { id: 'toolu_1', name, input };
}

/** Codex runs commands by a custom tool whose input is JavaScript. */
function codexCall(): object[] {
  const input = `text(await tools.exec_command({ cmd: "${COMMAND}" }))`;
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

(LONG_TESTS ? describe : describe.skip)('a coding agent, unmodified', () => {
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
    const install = ['install', '--no-save', '--no-audit', '--no-fund', CLAUDE_CODE, CODEX, OPENCODE];
    await run('npm', install, { cwd: folder.path, timeout: INSTALL_TIMEOUT_MS });
    await run(process.execPath, ['node_modules/@anthropic-ai/claude-code/install.cjs'], { cwd: folder.path });
    await run(process.execPath, ['node_modules/opencode-ai/postinstall.mjs'], { cwd: folder.path });
    await writeFile(join(folder.path, 'work', 'opencode.json'), JSON.stringify(openCodeSettings(service.origin)));
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

  /** The last message that the vendor received, which contains the output of the tool. */
  const toolOutput = (): string => {
    const { json } = vendor.seen.at(-1)!;
    return JSON.stringify((json.messages ?? json.input).at(-1));
  };

  const claudeCode = async (...args: string[]): Promise<{ result: string; total_cost_usd: number }> => {
    const printed = await agent('claude', [...args, '--allowedTools', 'Bash(echo:*)', '--output-format', 'json'], {
      ANTHROPIC_BASE_URL: `${service.origin}/api`,
      ANTHROPIC_AUTH_TOKEN: TEST_API_KEY,
      ANTHROPIC_API_KEY: '',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    });
    // A warning about an unknown model may precede the JSON.
    return JSON.parse(printed.slice(printed.indexOf('{"duration'))) as { result: string; total_cost_usd: number };
  };
  const codex = (...args: string[]): Promise<string> => {
    const settings = ['-c', `openai_base_url="${service.origin}/api/v1"`, '-c', 'web_search="disabled"'];
    const flags = ['--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox'];
    return agent('codex', ['exec', ...settings, ...flags, ...args], { CODEX_API_KEY: TEST_API_KEY });
  };
  const openCode = (model: string, ...prompt: string[]): Promise<string> =>
    agent('opencode', ['run', '-m', `gatehouse/${model}`, ...prompt], {
      GATEHOUSE_API_KEY: TEST_API_KEY,
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_MODELS_FETCH: '1',
    });
  const lastPath = (): string => vendor.seen.at(-1)!.path;

  it('Claude Code runs a tool by /messages, with its default model', async () => {
    expect((await claudeCode('-p', PROMPT)).result).toBe(DONE.text.join(''));
    expect([lastPath(), toolOutput()]).toEqual(['/v1/messages', expect.stringContaining(WORD)]);
  }, 180_000);

  it('Claude Code shows the billed amount as its own cost', async () => {
    const before = await settledSpend(service.sql);
    const { total_cost_usd } = await claudeCode('-p', PROMPT, '--model', 'claude-opus-4-7');
    expect(Math.round(total_cost_usd * 1e9)).toBe(Number((await settledSpend(service.sql)) - before));
  }, 180_000);

  it('Codex runs a tool by /responses, with its default model', async () => {
    expect(await codex(PROMPT)).toContain(DONE.text.join(''));
    expect([lastPath(), toolOutput()]).toEqual(['/v1/responses', expect.stringContaining(WORD)]);
  }, 180_000);

  it.each([
    [
      'Claude Code',
      '/v1/chat/completions',
      async () => (await claudeCode('-p', PROMPT, '--model', 'openai/gpt-5.1')).result,
    ],
    ['Codex', '/v1/messages', () => codex('-m', 'anthropic/claude-opus-4.7', PROMPT)],
    ['opencode', '/v1/messages', () => openCode('anthropic/claude-opus-4.7', PROMPT)],
  ])(
    '%s runs a tool with a vendor of the other format, %s',
    async (_name, path, printed) => {
      expect(await printed()).toContain(DONE.text.join(''));
      expect([lastPath(), toolOutput()]).toEqual([path, expect.stringContaining(WORD)]);
    },
    180_000,
  );

  it.each([
    [
      'Claude Code',
      async () =>
        (
          await claudeCode(
            '-p',
            ` /call Bash {"command":"${COMMAND}","description":"Print"}`,
            '--model',
            'builtin/eliza',
          )
        ).result,
    ],
    ['Codex', () => codex('-m', 'builtin/eliza', `/call exec_command {"cmd":"${COMMAND}"}`)],
    // The command line quotes an argument that contains a space.
    [
      'opencode',
      () => openCode('builtin/eliza', '/call', 'bash', `{"command":"echo\\u0020${WORD}","description":"Print"}`),
    ],
  ])(
    '%s runs a tool with the built-in model',
    async (_name, printed) => {
      expect(await printed()).toContain(WORD);
    },
    180_000,
  );

  /** Runs the lines of the page "Connect a client". `more` is appended to the last line and makes the agent exit. */
  async function runLines(name: string, files: readonly string[], more: string): Promise<string> {
    const target = { origin: service.origin, key: TEST_API_KEY, model: 'builtin/eliza' };
    const lines = CLIENTS.find((client) => client.name === name)!.lines(target);
    const home = join(folder.path, 'homes', name.replaceAll(' ', '-'));
    const work = join(home, 'work');
    await mkdir(join(work), { recursive: true });
    for (const file of files) await mkdir(join(home, file, '..'), { recursive: true });
    await Promise.all(files.map((file, at) => writeFile(join(home, file), lines[at]!.code)));
    const PATH = `${join(folder.path, 'node_modules/.bin')}:${process.env['PATH']}`;
    const running = run('bash', ['-c', `${lines.at(-1)!.code} ${more}`], {
      cwd: work,
      timeout: AGENT_TIMEOUT_MS,
      env: { PATH, HOME: home, CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', OPENCODE_DISABLE_MODELS_FETCH: '1' },
    });
    running.child.stdin?.end();
    return (await running).stdout;
  }

  it.each([
    ['Claude Code', [], `-p 'I feel sad today'`],
    ['Codex', ['.codex/config.toml'], `exec --skip-git-repo-check 'I feel sad today'`],
    ['opencode', ['work/opencode.json'], `run 'I feel sad today'`],
  ] as const)(
    '%s runs with the lines that the console writes',
    async (name, files, more) => {
      expect((await runLines(name, files, more)).trim().length).toBeGreaterThan(10);
      const { json } = await service.management.get('/generations?limit=1');
      expect(json.data[0]).toMatchObject({ model: 'builtin/eliza', status: 200 });
    },
    180_000,
  );
});

/** The settings from docs/clients.md. */
const openCodeSettings = (origin: string): object => ({
  provider: {
    gatehouse: {
      npm: '@ai-sdk/openai-compatible',
      name: 'Gatehouse',
      options: { baseURL: `${origin}/api/v1`, apiKey: '{env:GATEHOUSE_API_KEY}' },
      models: { 'anthropic/claude-opus-4.7': {}, 'builtin/eliza': {} },
    },
  },
});

if (!LONG_TESTS) process.stderr.write('SKIPPED: the coding agents are installed and run with LONG_TESTS=1\n');
