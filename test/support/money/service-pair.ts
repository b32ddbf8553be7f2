import { Agent } from 'node:http';
import { Sql } from '../../../src/database/sql.js';
import { createTestDatabase, type TestDatabase } from '../database/test-database.js';
import { startServiceProcess, type ServiceProcess } from '../services/service-process.js';
import { startScriptedChatVendor, type ChatScript, type ScriptedChatVendor } from '../vendors/scripted-chat-vendor.js';
import { streamOnce, type SeenStream } from './chat-load.js';

export interface ServicePairOptions {
  readonly workers: number;
  /** The vendor's response to each call. */
  readonly script: () => ChatScript;
  /** Connections that callers open to each service. */
  readonly connections?: number;
  /** Further variables of each service, and modules to load first. */
  readonly env?: readonly [Readonly<Record<string, string>>, Readonly<Record<string, string>>];
  readonly preload?: readonly string[];
}

/** Two service processes on one database, with one text vendor. */
export class ServicePair {
  #agents: readonly Agent[] = [];

  private constructor(
    private readonly database: TestDatabase,
    readonly sql: Sql,
    readonly vendor: ScriptedChatVendor,
    readonly services: readonly ServiceProcess[],
    connections: number,
  ) {
    this.connect(connections);
  }

  static async open(options: ServicePairOptions): Promise<ServicePair> {
    const { workers, script, connections = 500, env = [{}, {}], preload } = options;
    const database = await createTestDatabase();
    const vendor = await startScriptedChatVendor(script);
    const common = {
      DATABASE_URL: database.url,
      OPENAI_API_KEY: 'sk-vendor',
      OPENAI_BASE_URL: vendor.baseUrl,
      WORKERS: String(workers),
      // The first calls of new processes on a few processors take seconds.
      DATABASE_TIMEOUT_MS: '30000',
    };
    const services: ServiceProcess[] = [];
    for (const own of env) services.push(await startServiceProcess({ ...common, ...own }, preload));
    return new ServicePair(database, new Sql(database.url, 2), vendor, services, connections);
  }

  /** Sets the number of connections that callers open to each service, and closes the earlier connections. */
  connect(connections: number): void {
    this.#agents.forEach((agent) => agent.destroy());
    this.#agents = this.services.map(() => new Agent({ keepAlive: true, maxSockets: connections }));
  }

  /** Makes one streamed call to one of the services. */
  stream(service: number, key: string): Promise<SeenStream> {
    return streamOnce({ origin: this.services[service]!.origin, key, agent: this.#agents[service] });
  }

  async close(): Promise<void> {
    this.#agents.forEach((agent) => agent.destroy());
    for (const service of this.services) service.kill('SIGTERM');
    await Promise.all(this.services.map((service) => service.exited));
    await this.vendor.close();
    await this.sql.close();
    await this.database.drop();
  }
}
