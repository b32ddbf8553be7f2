import { execFile } from 'node:child_process';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { LONG_TESTS } from '../../support/long-tests.js';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.js';
import {
  startTestService,
  TEST_API_KEY,
  TEST_MANAGEMENT_KEY,
  type TestService,
} from '../../support/services/test-service.js';

const INSTALL_TIMEOUT_MS = 300_000;
const PROGRAM = 'openai-program.mjs';
const run = promisify(execFile);

(LONG_TESTS ? describe : describe.skip)('the package openai, unmodified', () => {
  let folder: TemporaryFolder;
  let service: TestService;
  beforeAll(async () => {
    folder = await temporaryFolder();
    service = await startTestService();
    await copyFile(join(import.meta.dirname, '../../support', PROGRAM), join(folder.path, PROGRAM));
  });
  afterAll(async () => {
    await service?.stop();
    await folder?.remove();
  });

  it.each([4, 5, 6, 7])(
    'works in version %i with only a base URL and a key',
    async (version) => {
      const install = ['install', '--no-save', '--no-audit', '--no-fund', `openai@${version}`];
      await run('npm', install, { cwd: folder.path, timeout: INSTALL_TIMEOUT_MS });
      const args = [PROGRAM, `${service.origin}/api/v1`, TEST_API_KEY, TEST_MANAGEMENT_KEY];
      const { stdout } = await run(process.execPath, args, { cwd: folder.path });
      const { stream, chat, image, ...rest } = JSON.parse(stdout) as Readonly<Record<string, unknown>>;
      expect(stream).toBe(chat);
      expect(chat).toMatch(/\w/);
      const picture = await fetch(image as string);
      expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png']);
      expect(rest).toEqual({
        embeddings: 256,
        model: 'builtin/poster',
        edit: 'iVBORw0K',
        speech: true,
        file: 'a.txt',
        unknown: 'NotFoundError 404',
        unauthorized: 'AuthenticationError 401',
      });
    },
    INSTALL_TIMEOUT_MS,
  );
});

if (!LONG_TESTS)
  process.stderr.write('SKIPPED: versions 4 to 7 of openai are installed and called with LONG_TESTS=1\n');
