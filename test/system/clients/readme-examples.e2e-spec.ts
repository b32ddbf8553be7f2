import { execFile } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startScriptedChatVendor, type ScriptedChatVendor } from '../../support/vendors/scripted-chat-vendor.js';
import { startServiceProcess, type ServiceProcess } from '../../support/services/service-process.js';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.js';

const ADDRESS = 'http://127.0.0.1:3000';
const EXAMPLES_WITHIN_MS = 180_000;

const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/** In the order for a new reader: later pages use variables and resources from earlier pages. */
const PAGES = ['README.md', ...['first-day', 'chat', 'interns', 'messages', 'responses-and-codex'].map(guide)];

function guide(name: string): string {
  return `docs/guides/${name}.md`;
}

const run = promisify(execFile);

/** The code blocks of all pages in a language. */
async function blocksOf(language: string): Promise<string[]> {
  const texts = await Promise.all(PAGES.map((page) => readFile(page, 'utf8')));
  const blocks = new RegExp('```' + language + '\n(.*?)```', 'gs');
  return texts.flatMap((text) => [...text.matchAll(blocks)].map(([, block]) => block!));
}

describe('the examples of the README and of the guides', () => {
  let folder: TemporaryFolder;
  let vendor: ScriptedChatVendor;
  let service: ServiceProcess;
  let script: string;
  beforeAll(async () => {
    folder = await temporaryFolder();
    vendor = await startScriptedChatVendor();
    service = await startServiceProcess({
      DATA_DIR: join(folder.path, '.data'),
      BOOTSTRAP_MANAGEMENT_KEY: '',
      BOOTSTRAP_API_KEY: '',
      OPENAI_API_KEY: 'sk-of-the-vendor',
      OPENAI_BASE_URL: vendor.baseUrl,
    });
    script = (await blocksOf('sh'))
      .filter((block) => !/^(npm|docker) /.test(block))
      .join('\n')
      .replaceAll(ADDRESS, service.origin);
  }, EXAMPLES_WITHIN_MS);
  afterAll(async () => {
    service.kill('SIGTERM');
    await service.exited;
    await vendor.close();
    await folder.remove();
  });

  /** Standard error goes to a file, because /dev/stderr of a socket cannot be opened. */
  async function shell(text: string): Promise<{ code: number; stdout: string; stderr: string }> {
    const args = ['-euo', 'pipefail', '-c', `exec 2>stderr.txt\n${text}`];
    const { code = 0, stdout } = (await run('bash', args, { cwd: folder.path, maxBuffer: MAX_OUTPUT_BYTES }).catch(
      (error: { code: number; stdout: string }) => error,
    )) as { code?: number; stdout: string };
    return { code, stdout, stderr: await readFile(join(folder.path, 'stderr.txt'), 'utf8') };
  }

  it(
    'for a shell run as printed, in the order of the pages',
    async () => {
      expect(script.match(/\bcurl /g)!.length).toBeGreaterThan(15);
      const { code, stdout, stderr } = await shell(script);
      // While the intern starts, curl prints errors and retries.
      expect([code, stderr]).toEqual([0, expect.not.stringMatching(/not found|undefined/)]);
      expect(stdout + stderr).not.toMatch(/"error":\{"code":(?!503)/);
      for (const file of ['hello.mp3', 'poster.png'])
        expect((await stat(join(folder.path, file))).size).toBeGreaterThan(1_000);
      expect(vendor.seen.map(({ path }) => path)).toEqual([expect.stringContaining('/audio/transcriptions')]);
    },
    EXAMPLES_WITHIN_MS,
  );

  it(
    'in JavaScript run as printed',
    async () => {
      const blocks = await blocksOf('js');
      expect(blocks.length).toBeGreaterThan(3);
      const key = (await readFile(join(folder.path, '.data', 'api-key'), 'utf8')).trim();
      for (const block of blocks) {
        const program = block.replaceAll(ADDRESS, service.origin);
        const env = { ...process.env, KEY: key };
        // Run it below test/, where the client packages are installed.
        const { stderr } = await run(process.execPath, ['--input-type=module', '--eval', program], {
          cwd: 'test',
          env,
        });
        expect(stderr).toBe('');
      }
    },
    EXAMPLES_WITHIN_MS,
  );

  it(
    'for a shell show the reason of a failed call',
    async () => {
      const commands = script.replaceAll('\\\n', ' ').split('\n');
      const wrong = (part: string): string =>
        ['API=' + service.origin + '/api/v1', 'KEY=wrong', commands.find((line) => line.includes(part))!].join('\n');
      for (const part of ['-o hello.mp3', '"$API/embeddings"', '"$API/chat/completions"']) {
        const { stdout, stderr } = await shell(wrong(part));
        expect(stderr).toContain('curl: (22)');
        expect(stdout).toContain('Invalid API key');
      }
    },
    EXAMPLES_WITHIN_MS,
  );
});
