import { join } from 'node:path';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { CommitterProcess } from './committer-process.js';

describe('a committer process', () => {
  it('that cannot listen makes the start fail with the reason', async () => {
    const folder = await temporaryFolder();
    const socket = join(folder.path, 'missing', 'c.sock');
    const committer = new CommitterProcess(
      { socket, databaseUrl: 'postgres://127.0.0.1:1/none', pooled: false, leaseMs: 1_000, timeoutMs: 1_000 },
      () => undefined,
    );
    try {
      await expect(committer.start()).rejects.toThrow('the committer cannot listen: ');
    } finally {
      await committer.stop();
      await folder.remove();
    }
  });
});
