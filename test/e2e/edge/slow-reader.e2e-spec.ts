import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { settledSpend } from '../../support/money/account-totals.js';
import { aSpeechEndpoint, teach } from '../../support/catalogue/test-catalogue.js';
import { startTestService, TEST_API_KEY, type TestService } from '../../support/services/test-service.js';

const MIB = 1_048_576;
const SIZE = 64 * MIB;
const MAX_GROWTH_BYTES = 16 * MIB;

/** The used memory of this process, which includes vendor, service and reader. */
async function liveBytes(): Promise<number> {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as (options?: { type: 'minor' }) => void;
  gc();
  // The memory of buffers is freed some turns of the event loop after their objects, and counted at the next
  // collection.
  await sleep(20);
  gc({ type: 'minor' });
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Each piece of 64 KiB consists of one byte value, its index. */
const PIECES = Array.from({ length: 256 }, (_, index) => Buffer.alloc(65_536, index));

describe('64 MiB of speech to a slow reader', () => {
  let vendor: Server;
  let sent = 0;
  let service: TestService;
  beforeAll(async () => {
    const speak = async (response: ServerResponse): Promise<void> => {
      response.writeHead(200, { 'content-type': 'audio/pcm' });
      for (sent = 0; sent < SIZE; sent += 65_536) {
        if (!response.write(PIECES[(sent / 65_536) % 256])) await once(response, 'drain');
      }
      response.end();
    };
    vendor = createServer((asked, response) => {
      asked.resume();
      void speak(response);
    });
    vendor.listen(0, '127.0.0.1');
    await once(vendor, 'listening');
    service = await startTestService({
      env: {
        OPENAI_API_KEY: 'scripted-credential',
        OPENAI_BASE_URL: `http://127.0.0.1:${(vendor.address() as AddressInfo).port}/v1`,
        UPSTREAM_TIMEOUT_MS: '500',
      },
    });
    teach(service, { 'slow/speech': [aSpeechEndpoint('openai')] });
  });
  afterAll(async () => {
    await service.stop();
    vendor.closeAllConnections();
    vendor.close();
  });

  it('pauses the vendor, does not increase the memory of the process, and is billed once', async () => {
    const before = await settledSpend(service.sql);
    const { port } = new URL(service.origin);
    const asked = request({
      port,
      method: 'POST',
      path: '/api/v1/audio/speech',
      headers: { authorization: `Bearer ${TEST_API_KEY}`, 'content-type': 'application/json' },
    });
    asked.end(JSON.stringify({ model: 'slow/speech', input: 'Hello', voice: 'alloy' }));
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    expect(answer.statusCode).toBe(200);
    const start = await liveBytes();

    // The caller does not read, so the vendor must pause. A pause longer than the timeout is not the vendor's fault.
    for (let last = -1; last !== sent;) {
      last = sent;
      await sleep(700);
    }
    expect(sent).toBeLessThan(SIZE / 2);
    let growth = (await liveBytes()) - start;

    let read = 0;
    let next = 32 * MIB;
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      if (chunk[0] !== Math.floor(read / 65_536) % 256) throw new Error(`byte ${read} has the value of another piece`);
      read += chunk.length;
      if (read < next) continue;
      next += 32 * MIB;
      growth = Math.max(growth, (await liveBytes()) - start);
      await sleep(20);
    }
    expect(read).toBe(SIZE);
    expect(growth).toBeLessThan(MAX_GROWTH_BYTES);
    expect((await settledSpend(service.sql)) - before).toBe(5_000n);
  }, 180_000);
});
