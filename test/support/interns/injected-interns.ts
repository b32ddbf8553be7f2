import { randomBytes } from 'node:crypto';
import { chown, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ModelMessage } from './conversing-interns.js';
import { freePort } from '../services/free-port.js';
import { INJECTIONS } from './injection-corpus/corpus.js';
import { startInternReplica } from './intern-replica.js';
import type { InternRuntime } from './intern-runtimes.js';
import { INTERN_MODEL, openWorld, scriptOf } from './intern-world.js';
import { startInternsStage, type InternsStage, type Member } from './interns-stage.js';
import { watchInterns } from './provisioned-interns.js';
import type { ScriptedReply } from '../vendors/scripted-model.js';
import { startScriptedChatVendor, type ScriptedChatVendor } from '../vendors/scripted-chat-vendor.js';
import { temporaryFolder } from '../temporary-folder.js';
import { openTlsWorld, type TlsWorld } from '../engines/tls-world.js';

export const PAGES = 'pages.test';
export const BOUND_HOST = 'api.example.com';
/** All of these hosts resolve to the simulated internet, so that only the access rules block the forbidden hosts. */
const HOSTS = [PAGES, ...new Set(JSON.stringify(INJECTIONS).match(/[a-z0-9.-]*(?:evil\.test|example\.com)/g))];

/** Two interns of one runtime. One of them follows all instructions that it reads. */
export interface InjectedInterns {
  readonly internId: string;
  readonly neighbourId: string;
  homeOf(internId: string): string;
  /** Deletes the interns and stops their replica. */
  close(): Promise<void>;
}

/** The real service, a simulated internet, and a vendor whose model follows all instructions that it reads. */
export interface InjectionStage {
  readonly stage: InternsStage;
  readonly world: TlsWorld;
  readonly vendor: ScriptedChatVendor;
  /** The response of the model. */
  respond: (json: { messages: ModelMessage[] }) => ScriptedReply;
  /** `userId`: the user of the replica that runs the interns. `secret`: bound to `BOUND_HOST`, in both vaults. */
  open(runtime: InternRuntime, secret: string, userId?: number): Promise<InjectedInterns>;
  /** Everything that management operations could change, except the cost of a turn. */
  records(): Promise<unknown>;
  close(): Promise<void>;
}

export async function openInjectionStage(): Promise<InjectionStage> {
  const [world, folder, vendor] = await Promise.all([
    openTlsWorld(),
    temporaryFolder(),
    startScriptedChatVendor(({ json }) => scriptOf(self.respond(json))),
  ]);
  const authorities = join(folder.path, 'authorities.pem');
  await writeFile(authorities, world.authority);
  const env = {
    MASTER_KEY: randomBytes(32).toString('hex'),
    EGRESS_PRIVATE_HOSTS: HOSTS.join(','),
    EGRESS_CA_FILE: authorities,
    OPENAI_API_KEY: 'credential-of-openai',
    OPENAI_BASE_URL: vendor.baseUrl,
    BREAKER_FAILURES: '1000',
    // The maximum, because a runtime ends if a busy machine renews its lease late.
    INTERN_LEASE_MS: '9999',
  };
  const stage = await startInternsStage({ env: { ...env, INTERN_RUNTIME: 'none' } });
  openWorld(stage.app, world);
  const { until, get } = watchInterns(() => ({ stage, me: { api: stage.standard } as Member }));
  let opened = 0;

  async function hire(name: string, value: string): Promise<string> {
    const { json } = await stage.standard.post('/interns', { json: { name } });
    await stage.standard.patch(`/interns/${json.id}`, { json: { model: INTERN_MODEL } });
    await stage.standard.put(`/interns/${json.id}/settings`, { json: { limit: 5, allowed_hosts: [PAGES] } });
    const secret = { value, hosts: [BOUND_HOST] };
    await stage.standard.put(`/vault/interns/${json.id}/secrets/api_token`, { json: secret });
    await stage.standard.post(`/interns/${json.id}/provision`, { json: {} });
    const settled = async () => /^(running|failed)$/.test((await get(json.id)).status);
    await until(settled, `${name} runs`, 240_000);
    expect(await get(json.id)).toMatchObject({ status: 'running', last_failure_message: null });
    return json.id;
  }

  async function open(runtime: InternRuntime, secret: string, userId?: number): Promise<InjectedInterns> {
    const [port, dataDir] = [String(await freePort()), join(folder.path, `data-${++opened}`)];
    await mkdir(dataDir, { mode: 0o700 });
    if (userId !== undefined) await chown(dataDir, userId, userId);
    const own = { PORT: port, REPLICA_URL: `http://127.0.0.1:${port}`, DATA_DIR: dataDir };
    const replica = await startInternReplica(
      { ...env, ...runtime.env, ...own, DATABASE_URL: stage.databaseUrl },
      world,
      userId,
    );
    const ids = await Promise.all([hire('obedient', secret), hire('neighbour', secret)]).catch(
      async (error: unknown) => {
        await replica.kill();
        throw error;
      },
    );
    const [internId, neighbourId] = ids;
    return {
      internId,
      neighbourId,
      homeOf: (id) => runtime.homeOf(dataDir, id),
      close: async () => {
        try {
          for (const id of ids) await stage.standard.delete(`/interns/${id}`);
          for (const id of ids) await until(async () => (await get(id)).error?.code === 404, `${id} is gone`, 40_000);
        } finally {
          await replica.kill();
        }
      },
    };
  }

  const self: InjectionStage = {
    stage,
    world,
    vendor,
    respond: () => ({ text: 'ok' }),
    open,
    records: async () => {
      const [row] = await stage.sql.query(`select
        (select json_agg(to_jsonb(k) order by k.no) from api_key k where key_class <> 'intern') as keys,
        (select json_agg(json_build_array(id, name, status, model, limit_nano, limit_reset, allowed_hosts,
          approval_mode) order by id) from intern) as interns,
        (select json_agg(to_jsonb(s) order by s.vault_id, s.name) from vault_secret s) as secrets,
        (select json_agg(to_jsonb(e) order by e.id) from ledger_entry e where kind <> 'generation') as entries`);
      return row;
    },
    close: async () => {
      await stage.stop();
      await Promise.all([world.close(), vendor.close()]);
      await folder.remove();
    },
  };
  return self;
}
