import type { Address } from '../../kernel/addresses/guarded-lookup.js';
import { startWebhookReceiver, type WebhookReceiver } from '../../../test/support/engines/webhook-receiver.js';
import { GuardedWebhookSender } from './guarded-webhook-sender.driver.js';

const PRIVATE: Address = { address: '127.0.0.1', family: 4 };
const PUBLIC: Address = { address: '93.184.215.14', family: 4 };

describe('GuardedWebhookSender', () => {
  let receiver: WebhookReceiver;
  const senders: GuardedWebhookSender[] = [];
  beforeAll(async () => {
    receiver = await startWebhookReceiver();
  });
  afterEach(() => (receiver.seen.length = 0));
  afterAll(async () => {
    await Promise.all(senders.map((sender) => sender.close()));
    await receiver.close();
  });

  function aSender(results: readonly Address[][], privateHosts: readonly string[] = []): GuardedWebhookSender {
    let asked = 0;
    const resolve = async (): Promise<Address[]> => [...results[Math.min(asked++, results.length - 1)]!];
    const sender = new GuardedWebhookSender(privateHosts, 2_000, resolve);
    senders.push(sender);
    return sender;
  }
  const send = (sender: GuardedWebhookSender, host: string): Promise<object> =>
    sender.send({ url: new URL(`http://${host}:${receiver.port}/hook`), headers: {}, body: '{}' });

  it.each([
    ['has a private address', [[PRIVATE]]],
    ['has a public and a private address', [[PUBLIC, PRIVATE]]],
    ['has no address', [[]]],
  ])('sends nothing to a name that %s', async (_, results) => {
    expect(await send(aSender(results), 'receiver.example')).toEqual({
      error: 'resolves to an address that is not public',
    });
    expect(receiver.seen).toEqual([]);
  });

  it('sends to a private address only if the operator allows the name', async () => {
    const sender = aSender([[PRIVATE], [PRIVATE]], ['receiver.example']);
    expect(await send(sender, 'receiver.example')).toEqual({ status: 200 });
    expect(await send(aSender([[PRIVATE]]), 'receiver.example')).toHaveProperty('error');
    expect(receiver.seen).toHaveLength(1);
  });

  it('sends nothing to a private literal address, for which there is no DNS lookup', async () => {
    for (const host of ['127.0.0.1', '[::1]', '2130706433', '0x7f.1'])
      expect(await send(aSender([[PUBLIC]]), host)).toEqual({ error: 'resolves to an address that is not public' });
    expect(receiver.seen).toEqual([]);
  });

  it('stops reading a response that is too long, and closes the connection', async () => {
    let sent = 0;
    receiver.respond = (response) => {
      response.writeHead(200);
      const piece = Buffer.alloc(65_536);
      const more = (): void => {
        while (!response.destroyed && response.write(piece)) sent += piece.length;
        sent += piece.length;
      };
      response.on('drain', more).on('error', () => undefined);
      more();
    };
    expect(await send(aSender([[PRIVATE]], ['receiver.example']), 'receiver.example')).toEqual({ status: 200 });
    expect(sent).toBeLessThan(20_000_000);
    receiver.respond = 200;
  });
});
