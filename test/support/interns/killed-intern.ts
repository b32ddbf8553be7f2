import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ModelMessage } from './conversing-interns.js';
import { expectBalanced, readBooks } from '../money/count-the-money.js';
import { textOfFiles } from '../files/text-of-files.js';
import { eventually } from '../eventually.js';
import { LONG_TESTS } from '../long-tests.js';
import { freePort } from '../services/free-port.js';
import { chatOf, user, type Chat, type ChatReading } from './intern-chat.js';
import { startInternReplica, type InternReplica } from './intern-replica.js';
import type { InternRuntime } from './intern-runtimes.js';
import { INTERN_MODEL, messagesOf, openWorld, scriptOf } from './intern-world.js';
import { startInternsStage, type Member } from './interns-stage.js';
import type { RandomNumbers } from '../random-numbers.js';
import { CHAT_USAGE, startScriptedChatVendor } from '../vendors/scripted-chat-vendor.js';
import { temporaryFolder } from '../temporary-folder.js';
import { openTlsWorld } from '../engines/tls-world.js';

/** Short, but long enough for a busy machine: a runtime ends if its lease is not renewed in time. */
const LEASE_MS = 4_000;
const HOST = 'count.test';
const SESSION = { session_id: 'kept' };
/** Calculated from the prices of the interns' model. */
const CALL_NANO_USD = BigInt(CHAT_USAGE.prompt_tokens * 1_000 + CHAT_USAGE.completion_tokens * 2_000);

/** The outcome of an interrupted effect, as the intern reports it after the kill. */
export type Outcome = 'done' | 'unknown' | 'not done';

/** An intern whose turns are interrupted by kills. Callers use one replica, and another replica runs the intern. */
export interface KilledIntern {
  readonly id: string;
  readonly dataDir: string;
  /** Kills the replica that runs the intern, and starts the next one. */
  killReplica(): Promise<void>;
  /**
   * Makes the intern perform the effect with this number, and calls `kill` at a random point of the turn. Checks the
   * next turn, the requests that the host counted, and the balances.
   */
  cut(number: number, kill: () => Promise<unknown>): Promise<Outcome>;
  /** Checks all turns since the start: effects, transcript and money. */
  expectWhole(): Promise<void>;
  close(): Promise<void>;
}

export async function openKilledIntern(runtime: InternRuntime, random: RandomNumbers): Promise<KilledIntern> {
  const [world, folder, vendor] = await Promise.all([
    openTlsWorld(),
    temporaryFolder(),
    startScriptedChatVendor(({ json }) => think(json as { messages: ModelMessage[] })),
  ]);
  const [port, authorities, dataDir] = [
    String(await freePort()),
    join(folder.path, 'authorities.pem'),
    join(folder.path, 'data'),
  ];
  await writeFile(authorities, world.authority);
  const env: Record<string, string> = {
    MASTER_KEY: randomBytes(32).toString('hex'),
    INTERN_LEASE_MS: `${LEASE_MS}`,
    // The default is 30 s, which the end of a short run would wait for.
    ...(LONG_TESTS ? {} : { RESERVATION_LEASE_MS: `${LEASE_MS}` }),
    EGRESS_PRIVATE_HOSTS: HOST,
    EGRESS_CA_FILE: authorities,
    OPENAI_API_KEY: 'credential-of-openai',
    OPENAI_BASE_URL: vendor.baseUrl,
    BREAKER_FAILURES: '1000',
  };
  const stage = await startInternsStage({ env: { ...env, INTERN_RUNTIME: 'none' } });
  openWorld(stage.app, world);
  Object.assign(env, runtime.env, { PORT: port, REPLICA_URL: `http://127.0.0.1:${port}`, DATA_DIR: dataDir });
  env['DATABASE_URL'] = stage.databaseUrl;
  let replica: InternReplica = await startInternReplica(env, world);
  const { json: intern } = await stage.standard.post('/interns', { json: { name: 'survivor' } });
  const id = intern.id as string;
  await stage.standard.patch(`/interns/${id}`, { json: { model: INTERN_MODEL } });
  await stage.standard.put(`/vault/interns/${id}/secrets/token`, { json: { value: 'x'.repeat(20), hosts: [HOST] } });
  await stage.standard.post(`/interns/${id}/provision`, { json: {} });
  const [owner] = await stage.sql.query<Member>(
    `select account_id as "accountId", workspace_id as "workspaceId", creator_user_id as "userId"
     from intern where id = $1`,
    [id],
  );
  const chat: Chat = await chatOf(stage, owner!);
  const kept: number[] = [];
  let turns = 0;

  const counted = (number: number): number => world.arrivals.filter(({ url }) => url === `/count?id=${number}`).length;

  /** Points of a turn, at which `kill` is called: its start, its model call, its effect, and a random time. */
  const POINTS: ((number: number, calls: number) => Promise<unknown>)[] = [
    async () => undefined,
    (_, calls) => eventually(async () => expect(vendor.seen.length).toBeGreaterThan(calls)),
    (number) => eventually(async () => expect(counted(number)).toBe(1)),
    () => sleep(random.int(0, 300)),
  ];

  /** Sends a message until it is accepted. Fails after much more time than a lease and a boot take. */
  const talk = (text: string): Promise<ChatReading> =>
    eventually(async () => {
      const reading = await chat(id, user(text, SESSION));
      if (reading.status !== 200) {
        const { json: record } = await stage.standard.get(`/interns/${id}`);
        throw new Error(`${reading.status} ${(await reading.json()).error.message} (${record.last_failure_message})`);
      }
      turns++;
      return reading;
    }, 60_000);

  async function cut(number: number, kill: () => Promise<unknown>): Promise<Outcome> {
    const calls = vendor.seen.length;
    const point = random.int(0, POINTS.length - 1);
    const reading = await talk(`number ${number}.`);
    // The host responds slowly, so that the kill occurs between the effect and its result.
    if (point === 2) world.scripted = Array.from({ length: 5_000 }, () => '');
    await POINTS[point]!(number, calls);
    await kill();
    await reading.whole;
    world.scripted = undefined;
    expect(reading.text.endsWith('data: [DONE]\n\n')).toBe(true);
    const failed = reading.chunks.find(({ error }) => error)?.error.metadata.reason as string | undefined;
    expect([undefined, 'stream_severed', 'turn_failed']).toContain(failed);

    await (
      await talk('And now?')
    ).whole;
    const messages = messagesOf(vendor.seen.at(-1)!.json);
    const mine = messages.findLastIndex(({ content }) => content?.includes(`number ${number}.`));
    // If the message was not durable yet, its stream must have failed.
    expect([number, mine >= 0 || failed !== undefined]).toEqual([number, true]);
    if (mine >= 0) kept.push(number);
    const results = messages.slice(mine).filter(({ role }) => mine >= 0 && role === 'tool');
    expect(results.length).toBeLessThanOrEqual(1);
    const result = results[0]?.content ?? 'none';
    const outcome = outcomeOf(result);
    const [min, max] = { done: [1, 1], unknown: [0, 1], 'not done': [0, 0] }[outcome] as [number, number];
    expect([result, counted(number) >= min && counted(number) <= max]).toEqual([result, true]);
    expectBalanced(await readBooks(stage.sql));
    return outcome;
  }

  async function expectWhole(): Promise<void> {
    const effects = world.arrivals.map(({ url }) => url);
    expect(effects).toHaveLength(new Set(effects).size);
    const transcripts = await textOfFiles(runtime.homeOf(dataDir, id));
    expect(kept.filter((number) => transcripts.split(`number ${number}.`).length !== 2)).toEqual([]);
    // The reservations of a killed replica remain open until their leases expire.
    await eventually(async () => expect((await readBooks(stage.sql)).openReservations).toBe(0n), 120_000);
    const books = await readBooks(stage.sql);
    expectBalanced(books);
    const [row] = await stage.sql.query<{ calls: bigint }>('select count(*) as calls from generation where cost > 0');
    expect(books.accountSpent).toBe(row!.calls * CALL_NANO_USD);
    // A kill loses at most the interrupted call. Only calls that the vendor served are billed.
    const lost = vendor.used.calls - Number(row!.calls);
    expect([lost >= 0 && lost <= turns / 2, lost]).toEqual([true, lost]);
  }

  return {
    id,
    dataDir,
    killReplica: async () => {
      await replica.kill();
      replica = await startInternReplica(env, world);
    },
    cut,
    expectWhole,
    close: async () => {
      await replica.kill();
      await stage.stop();
      await Promise.all([world.close(), vendor.close()]);
      await folder.remove();
    },
  };
}

/** A message with a number causes the effect with that number; other messages get a text. */
function think(json: { messages: ModelMessage[] }): ReturnType<typeof scriptOf> {
  const last = messagesOf(json).at(-1)!;
  const number = last.role === 'user' ? /number (\d+)/.exec(last.content ?? '')?.[1] : undefined;
  if (number === undefined) return scriptOf({ text: 'ok' });
  const args = { url: `https://${HOST}/count?id=${number}`, method: 'POST' };
  return scriptOf({ calls: [{ name: 'http_request', arguments: args }] });
}

function outcomeOf(result: string): Outcome {
  if (result.startsWith('HTTP 200')) return 'done';
  return result.startsWith('Unknown outcome') ? 'unknown' : 'not done';
}
