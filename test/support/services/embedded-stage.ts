import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../../src/database/embedded-postgres.js';
import { EmbeddedService, processesOf, until } from './embedded-service.js';
import { temporaryFolder, type TemporaryFolder } from '../temporary-folder.js';

/**
 * A data folder with everything that a test starts on it, in this process and in others. `close` stops and removes
 * everything.
 */
export class EmbeddedStage {
  /** The log lines of the launcher in this process, including incidents. */
  readonly lines: string[] = [];
  dataDir: string;
  private readonly opened: EmbeddedPostgres[] = [];
  private readonly services: EmbeddedService[] = [];

  private constructor(private readonly folder: TemporaryFolder) {
    this.dataDir = join(folder.path, 'data');
  }

  static async open(): Promise<EmbeddedStage> {
    return new EmbeddedStage(await temporaryFolder());
  }

  async start(how = startEmbeddedPostgres): Promise<EmbeddedPostgres> {
    const postgres = await how({
      dataDir: this.dataDir,
      log: (line) => this.lines.push(line),
      settings: { fsync: 'off' },
    });
    this.opened.push(postgres);
    return postgres;
  }

  startService(role?: 'service' | 'command'): EmbeddedService {
    const service = new EmbeddedService(this.dataDir, role);
    this.services.push(service);
    return service;
  }

  async serverPid(): Promise<number> {
    return Number.parseInt(await readFile(join(this.dataDir, 'postgres', 'data', 'postmaster.pid'), 'utf8'), 10);
  }

  /** Whether initdb has started to write: its temporary folder contains parts of a database. */
  async isInitialising(): Promise<boolean> {
    const folder = join(this.dataDir, 'postgres');
    const names = await readdir(folder, { recursive: true }).catch(() => []);
    return names.some((name) => /^initdb-.*global/.test(name));
  }

  async guardPids(): Promise<number[]> {
    const processes = await processesOf(this.dataDir);
    return processes.filter(({ command }) => command.includes('gatehouse-guard')).map(({ pid }) => pid);
  }

  async nothingRuns(): Promise<void> {
    await until('no process is left', async () => (await processesOf(this.dataDir)).length === 0);
  }

  async close(): Promise<void> {
    for (const postgres of this.opened) await postgres.stop();
    for (const service of this.services) service.kill('SIGKILL');
    await Promise.all(this.services.map((service) => service.ended()));
    await this.folder.remove();
  }
}
