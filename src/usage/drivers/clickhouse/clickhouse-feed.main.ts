// The entry point of the process that feeds ClickHouse. It exits when the channel to its parent closes, even if the
// parent was killed.
import { exitAfterLastMessage, leaveSignalsToParent } from '../../../kernel/processes/restarted-process.js';
import { ClickHouseFeed } from './clickhouse-feed.js';
import type { FromFeed, FeedProcessOptions, ToFeed } from './clickhouse-feed-process.js';
import { HttpClickHouseConnection } from './http-clickhouse-connection.js';

const stopping = new AbortController();

const send = (message: FromFeed): void => {
  if (process.connected) process.send!(message);
};

leaveSignalsToParent();
process.on('disconnect', () => process.exit(0));
process.on('message', (message: ToFeed) => {
  if (message.kind === 'start') void feed(message.options);
  else stopping.abort();
});

async function feed({ address, ...options }: FeedProcessOptions): Promise<void> {
  try {
    const connection = new HttpClickHouseConnection(address);
    await new ClickHouseFeed(connection, { ...options, database: address.database }, (message) =>
      send({ kind: 'log', message }),
    ).run(stopping.signal);
    process.exit(0);
  } catch (error) {
    send({ kind: 'log', message: `The feed of ClickHouse failed: ${(error as Error).message}` });
    exitAfterLastMessage();
  }
}
