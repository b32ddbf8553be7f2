import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { connectEmbeddedPostgres, EmbeddedPostgresError } from '../../../src/database/embedded-postgres.js';
import { ask, type EmbeddedService } from '../../support/services/embedded-service.js';
import { EmbeddedStage } from '../../support/services/embedded-stage.js';

async function refusal(stage: EmbeddedStage): Promise<string> {
  const error: unknown = await stage.start().catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(EmbeddedPostgresError);
  const { message } = error as EmbeddedPostgresError;
  expect(message).not.toContain('\n');
  return message;
}

async function serveOne(command: EmbeddedService): Promise<void> {
  expect(await ask(await command.ready(), 'select 1 as n')).toEqual([{ n: 1 }]);
  command.kill('SIGTERM');
  await command.says('stopped');
}

describe('the embedded PostgreSQL', () => {
  let stage: EmbeddedStage;

  beforeEach(async () => {
    stage = await EmbeddedStage.open();
  });
  afterEach(async () => {
    await stage.close();
  });

  describe('on its own folder', () => {
    it('starts in an empty folder, listens on 127.0.0.1, sorts by code point and lower-cases letters', async () => {
      const { url } = await stage.start();
      expect(new URL(url).hostname).toBe('127.0.0.1');
      expect(await ask(url, 'show listen_addresses')).toEqual([{ listen_addresses: '127.0.0.1' }]);
      expect(
        await ask(url, `select 'Z' < 'a' as before, lower('ÄÉΣ') as low, current_setting('data_checksums') as sums`),
      ).toEqual([{ before: true, low: 'äéσ', sums: 'on' }]);
    });

    it('keeps data, address and password over a restart, and leaves no process after stop', async () => {
      const first = await stage.start();
      await ask(first.url, 'create table kept as select 42 as n');
      await Promise.all([first.stop(), first.stop()]);
      await stage.nothingRuns();
      const second = await stage.start();
      expect(second.url).toBe(first.url);
      expect(await ask(second.url, 'select n from kept')).toEqual([{ n: 42 }]);
    });

    it('refuses a wrong password and writes neither statements nor values into its log', async () => {
      const { url } = await stage.start();
      const wrong = new URL(url);
      wrong.password = 'guess';
      await expect(ask(wrong.href, 'select 1')).rejects.toThrow('password authentication failed');
      await ask(url, `create table once (v text unique); insert into once values ('hidden-value')`);
      await expect(ask(url, `insert into once values ('hidden-value')`)).rejects.toThrow('duplicate key');
      const log = await readFile(join(stage.dataDir, 'postgres', 'postgres.log'), 'utf8');
      expect(log).toContain('duplicate key');
      expect(log).not.toContain('hidden-value');
      expect(stage.lines.join('\n')).not.toContain(new URL(url).password);
    });

    it('uses another port if a program uses the former port', async () => {
      const first = await stage.start();
      await first.stop();
      const squatter = createServer().listen(Number(new URL(first.url).port), '127.0.0.1');
      await once(squatter, 'listening');
      try {
        const second = await stage.start();
        expect(new URL(second.url).port).not.toBe(new URL(first.url).port);
        expect(await ask(second.url, 'select 1 as n')).toEqual([{ n: 1 }]);
      } finally {
        squatter.close();
      }
    });

    it('starts even if the pid in a stale postmaster.pid now belongs to another program', async () => {
      const first = await stage.start();
      await first.stop();
      const data = join(stage.dataDir, 'postgres', 'data');
      // The process has the same user as the server. Otherwise PostgreSQL itself would detect that it is not a server.
      const { uid } = await stat(data);
      const stranger = spawn('sleep', ['60'], { uid, stdio: 'ignore' });
      await once(stranger, 'spawn');
      await writeFile(join(data, 'postmaster.pid'), `${stranger.pid}\n${data}\n1\n1\n\n127.0.0.1\n0 0\nready   \n`);
      try {
        const second = await stage.start();
        expect(await ask(second.url, 'select 1 as n')).toEqual([{ n: 1 }]);
        expect(stranger.exitCode ?? stranger.signalCode).toBeNull();
      } finally {
        stranger.kill('SIGKILL');
      }
    });
  });

  describe('reports in one sentence', () => {
    it('a folder that cannot be written', async () => {
      stage.dataDir = '/sys/gatehouse';
      expect(await refusal(stage)).toMatch(
        /^The data folder \/sys\/gatehouse cannot be written by user id \d+: .*set DATA_DIR/,
      );
    });

    it('a path that is a file', async () => {
      await writeFile(stage.dataDir, '');
      expect(await refusal(stage)).toBe(
        `The data folder ${stage.dataDir} cannot be used, because it or a part of its path is a file: set ` +
          `DATA_DIR to another folder.`,
      );
      stage.dataDir = join(stage.dataDir, 'below');
      expect(await refusal(stage)).toContain('is a file');
    });

    it('the database of another major version', async () => {
      const data = join(stage.dataDir, 'postgres', 'data');
      await mkdir(data, { recursive: true, mode: 0o711 });
      await writeFile(join(data, 'PG_VERSION'), '17\n');
      expect(await refusal(stage)).toMatch(
        /was created by PostgreSQL 17, and this version of Gatehouse contains PostgreSQL \d+: .*pg_dump/,
      );
    });

    it('a lost password, with its path', async () => {
      await (await stage.start()).stop();
      const path = join(stage.dataDir, 'postgres', 'password');
      await writeFile(path, 'another');
      expect(await refusal(stage)).toContain(path);
      await writeFile(path, '');
      expect(await refusal(stage)).toContain(path);
      await stage.nothingRuns();
    });
  });

  describe('is the only user of its folder:', () => {
    it('a second service is refused with folder and pid, and the first continues to serve', async () => {
      const first = stage.startService();
      const url = await first.ready();
      await expect(stage.start()).rejects.toThrow(
        `The data folder ${stage.dataDir} is in use by another Gatehouse service (pid ${first.pid}): stop it, ` +
          `or set DATA_DIR to another folder.`,
      );
      expect(await ask(url, 'select 1 as n')).toEqual([{ n: 1 }]);
    });

    it('a second start in the same process is refused, and does not free the folder for others', async () => {
      await stage.start();
      await expect(stage.start()).rejects.toThrow(`pid ${process.pid}`);
      expect((await stage.startService().outcome()).failed).toContain(`pid ${process.pid}`);
    });

    it('exactly one of four services that start at the same time can use the folder', async () => {
      const outcomes = await Promise.all(Array.from({ length: 4 }, () => stage.startService().outcome()));
      expect(outcomes.filter((outcome) => outcome.url !== undefined)).toHaveLength(1);
      const losers = outcomes.filter((outcome) => outcome.failed?.includes('is in use by another Gatehouse service'));
      expect(losers).toHaveLength(3);
    });

    it('an operator command uses the server of the service, and leaves it running', async () => {
      const service = stage.startService();
      const url = await service.ready();
      const borrowed = await stage.start(connectEmbeddedPostgres);
      expect(borrowed.url).toBe(url);
      await borrowed.stop();
      expect(await ask(url, 'select 1 as n')).toEqual([{ n: 1 }]);
    });

    it('a service that starts while an operator command runs alone waits for it to finish', async () => {
      const command = stage.startService('command');
      await command.ready();
      const service = stage.startService();
      expect(await service.says('line')).toBe(
        `Waiting for an operator command (pid ${command.pid}) to finish with ${stage.dataDir}.`,
      );
      expect(service.said).toHaveLength(1);
      command.kill('SIGTERM');
      await command.says('stopped');
      expect(await ask(await service.ready(), 'select 1 as n')).toEqual([{ n: 1 }]);
    });

    it('operator commands without a service run one after another, each with its own server', async () => {
      await Promise.all(Array.from({ length: 3 }, () => serveOne(stage.startService('command'))));
      await stage.nothingRuns();
    });
  });
});
