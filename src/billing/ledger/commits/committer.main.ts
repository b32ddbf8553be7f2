// The entry point of the committer process. When the channel to its parent closes, the process serves the remaining
// workers until they have closed their connections. Then the process exits.
import { Sql } from '../../../database/sql.js';
import { LocalServer } from '../../../kernel/processes/local-server.js';
import { exitAfterLastMessage, leaveSignalsToParent } from '../../../kernel/processes/restarted-process.js';
import { LedgerCells } from '../ledger-cells.js';
import type { CommitRequest, FromCommitter, ToCommitter } from './commit-messages.js';
import { CommitServer } from './commit-server.js';
import { FailoverLosses } from './failover-losses.js';
import { LocalCommits } from './local-commits.driver.js';

/** Maximum time in which the workers may end their calls after the parent process has ended. */
const MAX_ORPHANED_MS = 60_000;

const cells = new LedgerCells();
let commits: LocalCommits | undefined;
let losses: FailoverLosses | undefined;
let server: LocalServer | undefined;

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
      send({ kind: 'metrics', id: message.id, families: [...cells.families(), ...(losses?.families() ?? [])] });
      break;
    default:
      void stop();
  }
});

async function start(options: Extract<ToCommitter, { kind: 'start' }>): Promise<void> {
  const { databaseUrl, pooled, timeoutMs, leaseMs, socket } = options;
  const sql = new Sql(databaseUrl, undefined, { timeoutMs, pooled });
  losses = new FailoverLosses(sql, (line) => send({ kind: 'log', message: line }));
  commits = new LocalCommits(sql, leaseMs, cells, losses);
  const committing = new CommitServer(commits);
  server = new LocalServer((request) => committing.respond(request as CommitRequest));
  try {
    await server.listen(socket);
    send({ kind: 'listening' });
  } catch (error) {
    send({ kind: 'failed', message: (error as Error).message });
    exitAfterLastMessage();
  }
}

async function endWithWorkers(): Promise<void> {
  setTimeout(() => process.exit(1), MAX_ORPHANED_MS).unref();
  await server?.ended();
  await stop();
}

async function stop(): Promise<never> {
  await commits?.idle();
  server?.close();
  process.exit(0);
}
