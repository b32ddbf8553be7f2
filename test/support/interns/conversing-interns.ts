import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Config } from '../../../src/config/config.js';
import { PROCESSES, type InternRuntime } from './intern-runtimes.js';
import { INTERN_MODEL, messagesOf, openWorld, scriptOf } from './intern-world.js';
import { startInternsStage, type InternsStage, type Member } from './interns-stage.js';
import { watchInterns } from './provisioned-interns.js';
import { startScriptedChatVendor, type ScriptedChatVendor } from '../vendors/scripted-chat-vendor.js';
import { temporaryFolder } from '../temporary-folder.js';
import { textOfFiles } from '../files/text-of-files.js';
import { openTlsWorld, type TlsWorld } from '../engines/tls-world.js';

export interface ModelMessage {
  readonly role: string;
  readonly content: string | null;
}

/** The next response of the interns' model. */
export interface Thought {
  readonly text?: string;
  /** Arguments that are a string are sent unchanged. */
  readonly calls?: readonly { readonly name: string; readonly arguments: unknown }[];
  /** Keeps the response open until this resolves. */
  readonly until?: Promise<unknown>;
}

export interface Equipment {
  readonly secret?: { readonly name: string; readonly value: string; readonly host: string };
  /** Null = the default of the workspace. */
  readonly model?: string | null;
}

/** Running interns, with a scripted model behind the gateway and a simulated internet behind the proxy. */
export interface ConversingInterns {
  readonly stage: InternsStage;
  readonly world: TlsWorld;
  readonly vendor: ScriptedChatVendor;
  /** All log lines. */
  readonly log: string[];
  /** Returns the response of the model to the messages. The system message is omitted. */
  think: (messages: readonly ModelMessage[]) => Thought;
  /** Creates and starts an intern and returns its id. Default: with the scripted model. */
  create(name: string, equipment?: Equipment): Promise<string>;
  /** The contents of all files of the intern. */
  diskOf(internId: string): Promise<string>;
  homeOf(internId: string): string;
  close(): Promise<void>;
}

export async function startConversingInterns(
  hosts: readonly string[],
  env: Readonly<Record<string, string>> = {},
  runtime: InternRuntime = PROCESSES,
): Promise<ConversingInterns> {
  const [world, folder] = await Promise.all([openTlsWorld(), temporaryFolder()]);
  const authorities = join(folder.path, 'authorities.pem');
  await writeFile(authorities, world.authority);
  const log: string[] = [];
  const vendor = await startScriptedChatVendor(({ json }) =>
    scriptOf(interns.think(messagesOf(json as { messages: ModelMessage[] }))),
  );
  const stage = await startInternsStage({
    env: {
      EGRESS_PRIVATE_HOSTS: hosts.join(','),
      EGRESS_CA_FILE: authorities,
      OPENAI_API_KEY: 'credential-of-openai',
      OPENAI_BASE_URL: vendor.baseUrl,
      BREAKER_FAILURES: '1000',
      LOG_LEVEL: 'debug',
      ...runtime.env,
      ...env,
    },
    logTo: (text) => void log.push(text),
  });
  openWorld(stage.app, world);
  const { untilIs } = watchInterns(() => ({ stage, me: { api: stage.standard } as Member }));
  const homeOf = (id: string): string => runtime.homeOf(stage.app.get(Config, { strict: false }).values.DATA_DIR, id);
  const interns: ConversingInterns = {
    stage,
    world,
    vendor,
    log,
    think: () => ({ text: 'ok' }),
    create: async (name, { secret, model = INTERN_MODEL } = {}) => {
      const { json } = await stage.standard.post('/interns', { json: { name } });
      const path = `/interns/${json.id}`;
      await stage.standard.patch(path, { json: { model } });
      if (secret)
        await stage.standard.put(`/vault${path}/secrets/${secret.name}`, {
          json: { value: secret.value, hosts: [secret.host] },
        });
      await stage.standard.post(`${path}/provision`, { json: {} });
      await untilIs(json.id, 'running', 60_000);
      return json.id;
    },
    homeOf,
    diskOf: (id) => textOfFiles(homeOf(id)),
    close: async () => {
      await stage.stop();
      await Promise.all([world.close(), vendor.close(), folder.remove()]);
    },
  };
  return interns;
}
