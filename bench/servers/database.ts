/** Runs the embedded PostgreSQL of the built service in a process of its own, with the settings of the service. */
const { startEmbeddedPostgres } = (await import(
  new URL('../../dist/database/embedded-postgres.js', import.meta.url).href
)) as typeof import('../../src/database/embedded-postgres.js');
const database = await startEmbeddedPostgres({
  dataDir: process.env['DATA_DIR']!,
  log: (line) => process.stderr.write(`${line}\n`),
});
process.stdout.write(`ready ${database.url}\n`);
// The handles of the embedded server are unref'd, so this process would end without the timer.
const alive = setInterval(() => undefined, 60_000);
process.once('SIGTERM', () => {
  clearInterval(alive);
  void database.stop().then(() => process.exit(0));
});
