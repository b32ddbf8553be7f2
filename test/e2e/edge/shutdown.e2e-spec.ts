import { Agent, get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { text } from 'node:stream/consumers';
import { AdapterRegistry } from '../../../src/inference/adapter-registry.js';
import { eventually } from '../../support/eventually.js';
import { HeldSpeech } from '../../support/vendors/held-speech.js';
import { startTestService, TEST_API_KEY, type TestService } from '../../support/services/test-service.js';

const HAS_IPV6 = Object.values(networkInterfaces()).some((each) => each!.some(({ address }) => address === '::1'));
if (!HAS_IPV6) process.stderr.write('this machine has no ::1: that it is served is not tested\n');

interface Seen {
  readonly status: number;
  readonly connection: string | undefined;
  readonly text: string;
}

const SPEECH = { model: 'builtin/flite', voice: 'slt', input: 'Hello' };

function read(url: string, agent: Agent | false = false): Promise<Seen> {
  return new Promise((resolve, reject) => {
    const seen = async (response: IncomingMessage): Promise<Seen> => ({
      status: response.statusCode!,
      connection: response.headers.connection,
      text: await text(response),
    });
    get(url, { agent }, (response) => void seen(response).then(resolve, reject)).once('error', reject);
  });
}

const speak = (origin: string): Promise<Response> =>
  fetch(`${origin}/api/v1/audio/speech`, {
    method: 'POST',
    headers: { authorization: `Bearer ${TEST_API_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify(SPEECH),
  });

describe('a service that stops', () => {
  let service: TestService;
  const speech = new HeldSpeech();
  const start = async (env: Record<string, string>): Promise<void> => {
    service = await startTestService({
      env,
      adapters: new AdapterRegistry({
        speech: [speech],
        image: [],
        text: [],
        embeddings: [],
        transcription: [],
        rerank: [],
      }),
    });
  };

  it('reports that it is not ready, but accepts calls for SHUTDOWN_DELAY_MS, with Connection: close', async () => {
    await start({ SHUTDOWN_DELAY_MS: '6000' });
    const { origin } = service;
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    expect(await read(`${origin}/readyz`, agent)).toMatchObject({ status: 200, connection: 'keep-alive' });
    speech.hold();
    const underWay = speak(origin);
    await eventually(async () => expect(speech.waiting).toBe(1));

    const stopped = service.stop();
    expect(await read(`${origin}/readyz`)).toEqual({
      status: 503,
      connection: 'close',
      text: JSON.stringify({ error: { code: 503, message: 'Not ready: shutting down' } }),
    });
    expect(await read(`${origin}/healthz`, agent)).toMatchObject({ status: 200, connection: 'close' });
    speech.letGo();
    for (const call of [underWay, speak(origin)]) {
      const { status, headers } = await call;
      expect([status, headers.get('connection')]).toEqual([200, 'close']);
    }
    agent.destroy();
    await stopped;
    await expect(fetch(`${origin}/healthz`)).rejects.toThrow('fetch failed');
  }, 60_000);

  it('by default closes its listeners at once, also the one on [::1], and completes the current calls', async () => {
    await start({});
    const { origin } = service;
    const ipv6 = origin.replace('127.0.0.1', '[::1]');
    if (HAS_IPV6) expect(await read(`${ipv6}/readyz`)).toMatchObject({ status: 200 });
    speech.hold();
    const underWay = speak(origin);
    await eventually(async () => expect(speech.waiting).toBe(1));

    const stopped = service.stop();
    for (const host of ['127.0.0.1', '::1'])
      await eventually(
        () =>
          new Promise<void>((resolve, reject) => {
            const socket = connect(Number(new URL(origin).port), host)
              .once('connect', () => {
                socket.destroy();
                reject(new Error(`${host} accepts connections`));
              })
              .once('error', () => resolve());
          }),
      );
    speech.letGo();
    const { status, headers } = await underWay;
    expect([status, headers.get('connection')]).toEqual([200, 'close']);
    await stopped;
  }, 60_000);
});
