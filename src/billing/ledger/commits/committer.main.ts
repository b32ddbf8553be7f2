// The entry point of the committer process. When the channel to its parent closes, it serves the workers that are left
// until they have closed their connections, and exits.
import { rm } from 'node:fs/promises';
import { Sql } from '../../../database/sql.js';
import { leaveSignalsToParent } from '../../../kernel/processes/restarted-process.js';
import { LedgerCells } from '../ledger-cells.js';
import type { FromCommitter, ToCommitter } from './commit-messages.js';
import { CommitServer } from './commit-server.js';
import { LocalCommits } from './local-commits.driver.js';

/** A worker that lost its service may take so long to end its calls. */
const MAX_ORPHANED_MS = 60_000;

const cells = new LedgerCells();
let server: CommitServer | undefined;

const send = (message: FromCommitter): void => {
  if (process.connected) process.send!(message);
};

leaveSignalsToParent();
process.on('disconnect', () => void endWithWorkers());
process.on('message', (message: ToCommitter) => {
  switch (message.kind) {
    case 'start':
      void start(message);
      break;
    case 'collect':
      send({ kind: 'metrics', id: message.id, families: cells.families() });
      break;
    default:
      void stop();
  }
});

async function start(options: Extract<ToCommitter, { kind: 'start' }>): Promise<void> {
  const { databaseUrl, pooled, timeoutMs, leaseMs, socket } = options;
  const sql = new Sql(databaseUrl, undefined, { timeoutMs, pooled });
  server = new CommitServer(new LocalCommits(sql, leaseMs, cells));
  try {
    // Of a committer that was killed.
    await rm(socket, { force: true });
    await server.listen(socket);
    send({ kind: 'listening' });
  } catch (error) {
    send({ kind: 'failed', message: (error as Error).message });
  }
}

async function endWithWorkers(): Promise<void> {
  setTimeout(() => process.exit(1), MAX_ORPHANED_MS).unref();
  await server?.ended();
  await stop();
}

async function stop(): Promise<never> {
  await server?.close();
  process.exit(0);
}
