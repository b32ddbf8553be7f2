import { Sql } from '../../../src/database/sql.js';
import { VENDOR_KEY } from '../vendors/odd-chat-streams.js';
import { startProbedService, type ProbedService } from '../services/probed-service.js';
import { startScriptedChatVendor, type ScriptedChatVendor } from '../vendors/scripted-chat-vendor.js';
import { temporaryFolder } from '../temporary-folder.js';
import { leastStall, stallLimitMs } from '../services/stall-limit.js';
import { createTestDatabase } from '../database/test-database.js';
import { TEST_API_KEY } from '../services/test-service.js';

export interface ChatReply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Buffer;
}

export interface WatchedReply extends ChatReply {
  /** The time for which the event loop was blocked, if it exceeds the limit. */
  readonly stall: string | undefined;
}

/** A service in a separate process with a scripted vendor. */
export interface HostileChatStage {
  readonly vendor: ScriptedChatVendor;
  readonly service: ProbedService;
  readonly sql: Sql;
  post(body: string | Buffer, signal?: AbortSignal): Promise<ChatReply>;
  /**
   * Posts a request, and repeats it if the event loop was blocked too long for a body of `bytes`. `before` runs before
   * each try.
   */
  watched(body: string | Buffer, bytes?: number, before?: () => void): Promise<WatchedReply>;
  close(): Promise<void>;
}

export async function openHostileChatStage(env: Readonly<Record<string, string>> = {}): Promise<HostileChatStage> {
  const folder = await temporaryFolder();
  const database = await createTestDatabase();
  const vendor = await startScriptedChatVendor();
  const service = await startProbedService({
    DATA_DIR: `${folder.path}/data`,
    DATABASE_URL: database.url,
    MASTER_KEY: 'a1'.repeat(32),
    LOG_FORMAT: 'json',
    BOOTSTRAP_CREDITS_USD: '100000000',
    BREAKER_FAILURES: '1000',
    INTERN_RUNTIME: 'none',
    ...Object.fromEntries(
      ['OPENAI', 'ANTHROPIC'].flatMap((name) => [
        [`${name}_API_KEY`, VENDOR_KEY],
        [`${name}_BASE_URL`, vendor.baseUrl],
      ]),
    ),
    ...env,
  });
  const sql = new Sql(database.url, 2);

  async function post(body: string | Buffer, signal?: AbortSignal): Promise<ChatReply> {
    const response = await fetch(`${service.origin}/api/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${TEST_API_KEY}`, 'content-type': 'application/json' },
      body: body as string,
      signal,
    });
    return { status: response.status, headers: response.headers, body: Buffer.from(await response.arrayBuffer()) };
  }

  return {
    vendor,
    service,
    sql,
    post,
    watched: async (body, bytes = Buffer.byteLength(body), before) => {
      let reply!: ChatReply;
      const stall = await leastStall(service, bytes, async () => {
        before?.();
        reply = await post(body);
        vendor.seen.length = 0;
      });
      const isTooLong = stall > stallLimitMs(bytes);
      return { ...reply, stall: isTooLong ? `blocked the event loop for ${Math.round(stall)} ms` : undefined };
    },
    close: async () => {
      service.kill('SIGTERM');
      await service.exited;
      await sql.close();
      await vendor.close();
      await database.drop();
      await folder.remove();
    },
  };
}

/** The error of a response. Checks that it has the format that all errors share. */
export function errorOf({ body }: ChatReply): { code: number; message: string; metadata: { error_type: string } } {
  const { error } = JSON.parse(body.toString('utf8'));
  expect(error).toEqual({
    code: expect.any(Number),
    message: expect.any(String),
    metadata: expect.objectContaining({ error_type: expect.any(String) }),
  });
  return error;
}
