import type { TextReport } from '../../../src/inference/capabilities/text-report.js';
import {
  relayBody,
  relayStream,
  writtenBody,
  writtenStream,
  type ResponseContext,
} from '../../../src/inference/capabilities/text-response.js';
import type { VendorTurn } from '../../support/vendors/text-vendor-formats.js';
import { WIRE_FORMATS } from '../../support/vendors/wire-formats.js';
import { HELLO, VENDOR_FORMATS, type Client, type Vendor } from './format-pair.js';
import { CLIENT_FORMATS, CLIENTS, startPairStage, type PairStage } from './pair-stage.js';
import { RESPONSES } from './responses.data.js';

type Json = Readonly<Record<string, unknown>>;

let stage: PairStage;
beforeAll(async () => (stage = await startPairStage()));
afterAll(() => stage.close());

const BODIES: Readonly<Record<Client, Json>> = {
  chat: { model: 'a/b', messages: [HELLO] },
  responses: { model: 'a/b', input: 'Hello' },
  messages: { model: 'a/b', messages: [HELLO] },
};

const contextOf = (client: Client): ResponseContext => ({
  format: CLIENTS[client],
  head: { id: 'gen-1', model: 'a/b', provider: 'Vendor', created: 1_790_000_000 },
  options: { excludesReasoning: false, choices: 1, request: BODIES[client] },
});

function script(vendor: Vendor, turn: Partial<VendorTurn>, streamed: boolean): void {
  const { json, events, stop, usage } = WIRE_FORMATS[vendor];
  const whole = { finish: stop, usage, ...turn };
  stage.vendor.script(streamed ? { bytes: Buffer.concat(events(whole)) } : { body: json(whole) });
}

async function whole(client: Client, vendor: Vendor, turn: Partial<VendorTurn>): Promise<[Json, TextReport]> {
  script(vendor, turn, false);
  const sent = await stage.send(client, vendor, BODIES[client]);
  const context = contextOf(client);
  const { body, report } = await ('wire' in sent
    ? relayBody(sent.wire, context)
    : writtenBody(sent.conversation, context));
  return [JSON.parse(body({})) as Json, report];
}

async function streamed(client: Client, vendor: Vendor, turn: Partial<VendorTurn>): Promise<[Json[], TextReport]> {
  script(vendor, turn, true);
  const sent = await stage.send(client, vendor, { ...BODIES[client], stream: true });
  const context = contextOf(client);
  const { pieces, report, ending } =
    'wire' in sent ? relayStream(sent.wire, context) : writtenStream(sent.conversation, context);
  const bytes: Uint8Array[] = [];
  for (let step = await pieces.next(); !step.done; step = await pieces.next()) bytes.push(step.value);
  const text = Buffer.concat([...bytes, ending.closing({}, undefined)]).toString();
  const events = [...text.matchAll(/^data: (\{.*\})$/gm)].map(([, data]) => JSON.parse(data!) as Json);
  return [events, report];
}

describe.each(CLIENT_FORMATS.flatMap((client) => VENDOR_FORMATS.map((vendor) => ({ client, vendor }))))(
  'a response of a vendor of $vendor to a client of $client',
  ({ client, vendor }) => {
    for (const { name, turn, finish, vendors, reads } of RESPONSES) {
      if (!vendors.includes(vendor)) continue;
      const said = finish ? { ...turn, finish: finish[vendor] } : turn;

      it(`carries ${name}`, async () => {
        const [body] = await whole(client, vendor, said);
        expect(body).toMatchObject(reads[client].whole);
      });

      it(`carries ${name} in a stream`, async () => {
        const [events] = await streamed(client, vendor, said);
        for (const event of reads[client].events) expect(events).toContainEqual(matching(event));
      });
    }

    it('reports the tokens of each class', async () => {
      const counts = vendor === 'messages' ? { prompt: 360, cacheRead: 300 } : { prompt: 100, cacheRead: 40 };
      for (const read of [whole, streamed]) {
        const [, report] = await read(client, vendor, { text: ['Hello'] });
        expect(report.usage()!.counts).toMatchObject({ ...counts, completion: 7 });
      }
    });
  },
);

/** Matches like `toMatchObject`, also within a list. */
function matching(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(matching);
  if (typeof value !== 'object' || value === null || 'asymmetricMatch' in value) return value;
  return expect.objectContaining(
    Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, matching(inner)])),
  );
}
