import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { CatalogueEndpoint } from '../../../src/catalogue/catalogue-model.js';
import { parseGenerationId } from '../../../src/kernel/ids.js';
import { settledSpend } from './account-totals.js';
import { readBooks } from './count-the-money.js';
import { eventually } from '../eventually.js';
import { startScriptedChatVendor, type ScriptedChatVendor } from '../vendors/scripted-chat-vendor.js';
import { teach } from '../catalogue/test-catalogue.js';
import { startTestService, TEST_API_KEY, type TestService, type TestServiceOptions } from '../services/test-service.js';
import { aTextEndpoint } from '../calls/text-stage.js';
import { VENDOR_CREDENTIAL } from '../vendors/vendor-stage.js';

/** Served by a vendor that stops if its reader disconnects. */
export const CANCELLABLE = 'acme/cancellable';
/** Served by a vendor that always generates and bills the whole response. */
export const UNCANCELLABLE = 'acme/uncancellable';

/**
 * 3,000 nano-dollars per prompt token, 15,000 per completion token, 300 per cached token; up to 1,000 completion
 * tokens.
 */
export const PRICES = { prompt: '0.000003', completion: '0.000015', cacheRead: '0.0000003' };
export const aPricedEndpoint = (provider: string, facts: Partial<CatalogueEndpoint> = {}): CatalogueEndpoint =>
  aTextEndpoint(provider, { contextLength: 8_000, maxCompletionTokens: 1_000, tokenPrices: PRICES, ...facts });

/** Four tokens including the role, as counted by the gateway. */
export const PROMPT = 'one two three';
/** The record of one call. */
export interface RecordedCall {
  readonly id: string;
  readonly cost: bigint;
  readonly upstream_cost: bigint;
  readonly status: number;
  readonly tokens_prompt: bigint;
  readonly tokens_completion: bigint;
  readonly is_byok: boolean;
  readonly cancelled: boolean;
  readonly usage_estimated: boolean;
}

export interface ChatMoneyStage {
  readonly vendor: ScriptedChatVendor;
  readonly service: TestService;
  /** Resolves when the gateway has noticed that the latest caller disconnected. */
  callerGone(): Promise<unknown>;
  /** The record of a call, after all reservations have ended. Default: the latest call. */
  recorded(generationId?: string | null): Promise<RecordedCall>;
  /** The kinds of the anomalies of a call. */
  anomaliesOf(generationId: string | null): Promise<string[]>;
  /** The spend of the credits, after all reservations have ended. */
  spent(): Promise<bigint>;
  stop(): Promise<void>;
}

/** A service whose text models are served by one scripted vendor with two names. */
export async function startChatMoneyStage(
  options: TestServiceOptions = {},
  facts: Partial<CatalogueEndpoint> = {},
): Promise<ChatMoneyStage> {
  const vendor = await startScriptedChatVendor();
  const service = await startTestService({
    ...options,
    env: {
      BOOTSTRAP_CREDITS_USD: '10',
      OPENAI_API_KEY: VENDOR_CREDENTIAL,
      OPENAI_BASE_URL: vendor.baseUrl,
      GROQ_API_KEY: VENDOR_CREDENTIAL,
      GROQ_BASE_URL: vendor.baseUrl,
      ...options.env,
    },
  });
  teach(service, {
    [CANCELLABLE]: [aPricedEndpoint('openai', facts)],
    [UNCANCELLABLE]: [aPricedEndpoint('groq', facts)],
  });
  const { sql } = service;
  let gone: Promise<unknown> = Promise.resolve();
  service.app.getHttpServer().on('request', (_: unknown, response: ServerResponse) => {
    gone = once(response, 'close');
  });
  return {
    callerGone: () => gone,
    vendor,
    service,
    recorded: async (generationId) => {
      // A call on an own credential reserves no credits, but also has an open reservation.
      await eventually(async () => expect((await readBooks(sql)).openReservations).toBe(0n));
      const id = generationId ? parseGenerationId(generationId) : null;
      const [call] = await sql.query<RecordedCall>(
        `select g.id, g.cost, coalesce(g.upstream_cost, g.cost) as upstream_cost, g.status, g.tokens_prompt,
           g.tokens_completion, g.is_byok, d.cancelled, d.usage_estimated
         from generation g left join generation_detail d on d.id = g.id and d.created_at = g.created_at
         where $1::uuid is null or g.id = $1
         order by g.created_at desc, g.id desc
         limit 1`,
        [id],
      );
      return call!;
    },
    anomaliesOf: async (generationId) => {
      const rows = await sql.query<{ kind: string }>('select kind from billing_anomaly where generation_id = $1', [
        parseGenerationId(generationId!),
      ]);
      return rows.map(({ kind }) => kind);
    },
    spent: () => settledSpend(sql),
    stop: async () => {
      await service.stop();
      await vendor.close();
    },
  };
}

export interface StreamingCaller {
  readonly response: Response;
  readonly generationId: string | null;
  /** Continues to read until `count` texts of `streamEvents` have arrived. */
  readTexts(count: number): Promise<void>;
  /** Reads to the end and returns everything. */
  readAll(): Promise<string>;
  leave(): void;
}

/** Requests a stream; resolves when its head has arrived. */
export async function callStream(
  { origin }: Pick<TestService, 'origin'>,
  body: object = {},
  { key = TEST_API_KEY, left = new AbortController() } = {},
): Promise<StreamingCaller> {
  const response = await fetch(`${origin}/api/v1/chat/completions`, {
    method: 'POST',
    signal: left.signal,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: CANCELLABLE,
      messages: [{ role: 'user', content: PROMPT }],
      stream: true,
      ...body,
    }),
  });
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let read = '';
  const readUntil = async (isEnough: () => boolean): Promise<string> => {
    while (!isEnough()) {
      const { done, value } = await reader.read();
      if (done) break;
      read += value;
    }
    return read;
  };
  return {
    response,
    generationId: response.headers.get('x-generation-id'),
    readTexts: async (count) => void (await readUntil(() => read.split('"content":" two"').length > count)),
    readAll: () => readUntil(() => false),
    leave: () => left.abort(),
  };
}

/** The JSON of the chunks of a stream that was read. */
// oxlint-disable-next-line typescript/no-explicit-any
export const chunksRead = (stream: string): any[] =>
  stream
    .split('\n\n')
    .filter((event) => event.startsWith('data: {'))
    .map((event) => JSON.parse(event.slice(6)) as unknown);
