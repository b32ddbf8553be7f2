import { ask, until } from '../../support/services/embedded-service.js';
import { EmbeddedStage } from '../../support/services/embedded-stage.js';

describe('the embedded PostgreSQL after any kill:', () => {
  let stage: EmbeddedStage;

  beforeEach(async () => {
    stage = await EmbeddedStage.open();
  });
  afterEach(async () => {
    await stage.close();
  });

  it('a service that is killed leaves no process behind, and the next start has every row', async () => {
    const first = stage.startService();
    const url = await first.ready();
    await ask(url, 'create table kept as select 42 as n');
    first.kill('SIGKILL');
    await first.ended();
    await stage.nothingRuns();
    const second = await stage.start();
    expect(second.url).toBe(url);
    expect(await ask(url, 'select n from kept')).toEqual([{ n: 42 }]);
  });

  it('a start right after the kill waits for the old server to stop', async () => {
    const first = stage.startService();
    const url = await first.ready();
    await ask(url, 'create table kept as select 42 as n');
    first.kill('SIGKILL');
    const second = await until('the folder is free', () => stage.start().catch(() => undefined));
    expect(second.url).toBe(url);
    expect(await ask(url, 'select n from kept')).toEqual([{ n: 42 }]);
  });

  it('a service that is killed while it creates the database leaves no partial database', async () => {
    const first = stage.startService();
    await until('initdb is at work', () => stage.isInitialising());
    first.kill('SIGKILL');
    await first.ended();
    const second = await stage.start();
    expect(await ask(second.url, 'select 1 as n')).toEqual([{ n: 1 }]);
    await second.stop();
    await stage.nothingRuns();
  });

  it('a server that runs longer than its service and its guard is stopped by the next start', async () => {
    const first = stage.startService();
    const url = await first.ready();
    const pid = await stage.serverPid();
    const guards = await stage.guardPids();
    // Freeze the process first. Otherwise it would react to the death of its guard.
    first.kill('SIGSTOP');
    for (const guard of guards) process.kill(guard, 'SIGKILL');
    first.kill('SIGKILL');
    await first.ended();
    expect(await ask(url, 'select 1 as n')).toEqual([{ n: 1 }]);
    await stage.start();
    expect(stage.lines).toEqual([`Waiting for the PostgreSQL server of an earlier run (pid ${pid}) to stop.`]);
    expect(await stage.serverPid()).not.toBe(pid);
  });

  it('a PostgreSQL that is killed during a long query runs again at the same address with every row', async () => {
    const { url } = await stage.start();
    await ask(url, 'create table kept as select 42 as n');
    // This query never checks for interrupts, so its backend does not notice the death of the server.
    const endless = ask(url, 'select count(*) from (select generate_series(1, 100000000000)) as numbers').then(
      () => 'answered',
      () => 'cut off',
    );
    await until('the query runs', async () => {
      const [row] = await ask(
        url,
        `select count(*)::int as n
         from pg_stat_activity
         where query like '%(1, 100000000000)%' and pid <> pg_backend_pid()`,
      );
      return row?.['n'] === 1;
    });
    process.kill(await stage.serverPid(), 'SIGKILL');
    await until('it was restarted', () => stage.lines.some((line) => /died \(signal 9\) and was restarted/.test(line)));
    expect(await ask(url, 'select n from kept')).toEqual([{ n: 42 }]);
    expect(await endless).toBe('cut off');
  });

  it('a PostgreSQL is stopped and started again if its guard is killed', async () => {
    const { url, stop } = await stage.start();
    for (const guard of await stage.guardPids()) process.kill(guard, 'SIGKILL');
    await until('it was restarted', () => stage.lines.some((line) => line.includes('and was restarted')));
    expect(await ask(url, 'select 1 as n')).toEqual([{ n: 1 }]);
    await stop();
    await stage.nothingRuns();
  });

  it('Ctrl-C reaches the service and not its PostgreSQL, which serves until the service stops it', async () => {
    const service = stage.startService();
    await service.ready();
    service.interrupt();
    expect(await service.says('drained')).toBe('all');
    await service.says('stopped');
    await service.ended();
    await stage.nothingRuns();
  });
});
