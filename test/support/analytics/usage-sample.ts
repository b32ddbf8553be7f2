import type { Sql } from '../../../src/database/sql.js';
import { LABEL_KIND, type LabelKind } from '../../../src/usage/generation-record.js';
import { RandomNumbers } from '../random-numbers.js';

/** A call in a test, with names instead of numbers. */
export interface SampleCall {
  readonly id: string;
  readonly at: number;
  readonly account: number;
  readonly key: SampleKey;
  readonly workspace: SampleWorkspace;
  readonly model: string;
  readonly provider: string;
  readonly externalUser: string | null;
  readonly app: string | null;
  readonly origin: string | null;
  readonly finishReason: string | null;
  readonly cost: bigint;
  readonly upstreamCost: bigint;
  readonly prompt: number;
  readonly completion: number;
  readonly reasoning: number;
  readonly cached: number;
  readonly characters: number;
  readonly latency: number;
  readonly duration: number;
  readonly status: number;
  readonly images: number;
  readonly modality: number;
  readonly byok: boolean;
}

export interface SampleKey {
  readonly no: number;
  readonly hash: string;
  readonly user: string | null;
}

export interface SampleWorkspace {
  readonly no: number;
  readonly id: string;
}

export interface SampleAccount {
  readonly no: number;
  readonly id: string;
  readonly keys: readonly SampleKey[];
  readonly workspaces: readonly SampleWorkspace[];
}

export interface UsageSample {
  readonly now: Date;
  readonly accounts: readonly SampleAccount[];
  readonly calls: readonly SampleCall[];
}

export const SAMPLE_NOW = new Date('2026-11-20T12:34:56.789Z');
const DAY_MS = 86_400_000;
/**
 * The maximum number of calls of a sample at boundaries of days and months. A real service has few calls in one
 * millisecond, and the outbox finds a call by its millisecond: with 30,000 calls at one boundary, a page of the outbox
 * takes minutes.
 */
const MAX_AT_BOUNDARIES = 4_500;

/** Texts whose order differs between code points, a locale and UTF-16. */
export const MODELS = [
  'acme/one',
  'acme/one:free',
  'acme/Two',
  'zeta/ünder',
  'zeta/a:nitro',
  'zeta/a',
  'emoji/\u{1F600}',
  'emoji/\uFF21',
];
export const PROVIDERS = ['north', 'South', 'east', 'west-2'];
export const END_USERS = [null, ...Array.from({ length: 60 }, (_, index) => `user ${index % 7 ? index : `Ü${index}`}`)];
export const APPS = [null, 'Atelier', 'büro', 'Zoo'];
export const ORIGINS = [null, 'https://a.example', 'https://B.example'];
export const FINISH_REASONS = [null, 'stop', 'length'];
export const STATUSES = [200, 200, 200, 200, 400, 402, 499, 502, 524];

const uuid = (random: RandomNumbers, at: number): string => {
  const hex = (length: number): string => Array.from({ length }, () => random.int(0, 15).toString(16)).join('');
  const time = at.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${hex(3)}-${random.pick(['8', '9', 'a', 'b'])}${hex(3)}-${hex(12)}`;
};

/**
 * Random calls of the given accounts, which must be in the database and include two with keys; `addAccounts` creates
 * them.
 */
export function sampleCalls(accounts: readonly SampleAccount[], count: number, seed: number): UsageSample {
  const random = new RandomNumbers(seed);
  const now = SAMPLE_NOW.getTime();
  const calls = Array.from({ length: count }, (): SampleCall => {
    const account = random.chance(0.85) ? accounts[0]! : accounts[1]!;
    const at = momentOf(random, now, MAX_AT_BOUNDARIES / count);
    const modality = random.int(1, 4);
    const byok = random.chance(0.2);
    const price = random.chance(0.1) ? 0n : BigInt(random.int(1, 2_000_000_000)) * BigInt(random.pick([1, 1, 1000]));
    const isText = modality > 2;
    const prompt = isText
      ? random.pick([0, 999, 1_000, 7_999, 8_000, random.int(1, 40_000), random.int(1, 1_500_000)])
      : 0;
    return {
      id: uuid(random, at),
      at,
      account: account.no,
      key: random.pick(account.keys),
      workspace: random.pick(account.workspaces),
      model: random.pick(MODELS),
      provider: random.pick(PROVIDERS),
      externalUser: random.pick(END_USERS),
      app: random.pick(APPS),
      origin: random.pick(ORIGINS),
      finishReason: random.pick(FINISH_REASONS),
      cost: byok ? 0n : price,
      upstreamCost: price,
      prompt,
      completion: isText ? random.int(0, 4_000) : 0,
      reasoning: isText ? random.int(0, 500) : 0,
      cached: random.int(0, Math.floor(prompt / 2)),
      characters: modality === 2 ? random.int(1, 5_000) : 0,
      latency: random.int(1, 5_000),
      duration: random.pick([0, random.int(1, 90_000)]),
      status: random.pick(STATUSES),
      images: modality === 1 ? random.int(0, 4) : 0,
      modality,
      byok,
    };
  });
  return { now: SAMPLE_NOW, accounts, calls };
}

/**
 * A random time in slightly more than a year, mostly near the end. The share of times exactly at a boundary of days,
 * months or years is four ninths, or `maxShare` if that is smaller.
 */
function momentOf(random: RandomNumbers, now: number, maxShare: number): number {
  const at = now - Math.floor(random.next() * random.pick([3 / 24, 1, 8, 31, 400]) * DAY_MS);
  const day = Math.floor(at / DAY_MS) * DAY_MS;
  const monthEnd = Date.UTC(new Date(at).getUTCFullYear(), new Date(at).getUTCMonth() + 1, 1);
  // Four of the nine choices below are boundaries.
  const mayBeBoundary = maxShare / (4 / 9);
  if (mayBeBoundary < 1 && !random.chance(mayBeBoundary)) return at;
  return Math.min(random.pick([at, at, at, at, at, day, day - 1, monthEnd - 1, monthEnd]), now + DAY_MS);
}

const LABELS: readonly [LabelKind, keyof SampleCall][] = [
  ['model', 'model'],
  ['provider', 'provider'],
  ['externalUser', 'externalUser'],
  ['app', 'app'],
  ['origin', 'origin'],
  ['finishReason', 'finishReason'],
];

/** Writes the calls in the same way as the ledger, in several transactions, including the outbox. */
export async function writeCalls(sql: Sql, calls: readonly SampleCall[]): Promise<void> {
  const numbers = new Map<string, number>();
  for (const [kind, member] of LABELS) {
    const values = [...new Set(calls.map((call) => call[member]).filter((value) => value !== null))];
    await sql.query('insert into usage_label (kind, value) select $1, unnest($2::text[]) on conflict do nothing', [
      LABEL_KIND[kind],
      values,
    ]);
    const rows = await sql.query<{ id: number; value: string }>('select id, value from usage_label where kind = $1', [
      LABEL_KIND[kind],
    ]);
    for (const { id, value } of rows) numbers.set(`${kind} ${value}`, id);
  }
  const label = (kind: LabelKind, value: string | null): number | null =>
    value === null ? null : numbers.get(`${kind} ${value}`)!;
  for (let at = 0; at < calls.length; at += 5_000) {
    const rows = calls.slice(at, at + 5_000).map((call) => ({
      id: call.id,
      created_at: new Date(call.at),
      cost: call.cost.toString(),
      upstream_cost: call.upstreamCost === call.cost ? null : call.upstreamCost.toString(),
      account_no: call.account,
      workspace_no: call.workspace.no,
      key_no: call.key.no,
      model: label('model', call.model),
      provider: label('provider', call.provider),
      external_user: label('externalUser', call.externalUser),
      app: label('app', call.app),
      origin: label('origin', call.origin),
      finish_reason: label('finishReason', call.finishReason),
      tokens_prompt: call.prompt,
      tokens_completion: call.completion,
      tokens_reasoning: call.reasoning || null,
      tokens_cached: call.cached || null,
      characters: call.characters || null,
      latency_ms: call.latency,
      duration_ms: call.duration,
      status: call.status,
      images: call.images || null,
      modality: call.modality,
      is_byok: call.byok,
      streamed: false,
      synthetic: false,
    }));
    await sql.query(
      `with new as (
         insert into generation select * from json_populate_recordset(null::generation, $1)
         returning id, created_at)
       insert into outbox (generation_ids, times) select array[id], array[created_at] from new`,
      [JSON.stringify(rows)],
    );
  }
}

/**
 * Writes `count` calls of one account that differ only in their id and time, a millisecond apart. Only the first is in
 * the outbox.
 */
export async function writeAlike(sql: Sql, account: SampleAccount, template: SampleCall, count: number): Promise<void> {
  const [key, workspace] = [account.keys[0]!, account.workspaces[0]!];
  const id = uuid(new RandomNumbers(count), template.at);
  await writeCalls(sql, [{ ...template, id, account: account.no, key, workspace }]);
  await sql.query(
    `insert into generation select made.* from generation g, generate_series(1, $2) n,
       lateral (select lpad(to_hex($3::bigint + n), 12, '0') as time, md5(n::text) as salt) parts,
       lateral jsonb_populate_record(g, jsonb_build_object(
         'id', time || '7' || substr(salt, 1, 3) || '8' || substr(salt, 4, 15),
         'created_at', g.created_at + n * interval '1 millisecond')) made
     where g.account_no = $1`,
    [account.no, count - 1, template.at],
  );
}
