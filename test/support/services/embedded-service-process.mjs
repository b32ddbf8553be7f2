// A process that acts as the service (or, with "command", as the operator's command line). It starts the embedded
// PostgreSQL of a data folder, reports it in lines of JSON, and stops it on SIGTERM. On SIGINT it first checks that the
// server is still running, like a draining service.
import '../../../dev/typescript-loader.ts';
import { Client } from 'pg';

const { connectEmbeddedPostgres, startEmbeddedPostgres } = await import('../../../src/database/embedded-postgres.ts');

const say = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);
const [dataDir, role = 'service'] = process.argv.slice(2);
const start = role === 'command' ? connectEmbeddedPostgres : startEmbeddedPostgres;
try {
  const postgres = await start({
    dataDir,
    log: (line) => say({ line }),
    onIncident: (incident) => say({ incident }),
    settings: { fsync: 'off' },
  });
  const stop = async () => {
    await postgres.stop();
    say({ stopped: true });
    process.exit(0);
  };
  const drain = async () => {
    const client = new Client({ connectionString: postgres.url });
    await client.connect();
    say({ drained: (await client.query("select 'all' as served")).rows[0].served });
    await client.end();
    await stop();
  };
  process.on('SIGTERM', () => void stop());
  process.on('SIGINT', () => void drain());
  setInterval(() => undefined, 1 << 30);
  say({ url: postgres.url });
} catch (error) {
  say({ failed: `${error.name}: ${error.message}` });
  process.exitCode = 1;
}
