import { lackedSetting } from '../../../src/inference/text/lacked-settings.js';
import { CONTENT } from './content.data.js';
import { expectedResult, HELLO, VENDOR_FORMATS, type Client, type Vendor } from './format-pair.js';
import { CLIENT_FORMATS, startPairStage, type PairStage } from './pair-stage.js';
import { SETTINGS } from './settings.data.js';
import { TOOLS } from './tools.data.js';

type Json = Readonly<Record<string, unknown>>;

const BASE: Readonly<Record<Client, Json>> = {
  chat: { model: 'a/b', messages: [HELLO] },
  responses: { model: 'a/b', input: 'Hello' },
  messages: { model: 'a/b', messages: [HELLO] },
};

let stage: PairStage;
beforeAll(async () => (stage = await startPairStage()));
afterAll(() => stage.close());

/** Sends the members in a valid body and returns the body that the vendor received. */
async function sent(client: Client, vendor: Vendor, members: Json): Promise<Json> {
  await stage.send(client, vendor, { ...BASE[client], ...members });
  return stage.vendor.seen.at(-1)!.json as Json;
}

const CELLS = [...CONTENT, ...TOOLS, ...SETTINGS].flatMap((member) =>
  CLIENT_FORMATS.flatMap((client) =>
    VENDOR_FORMATS.flatMap((vendor) => {
      const fate = expectedResult(member, client, vendor);
      return fate ? [{ member, client, vendor, fate }] : [];
    }),
  ),
);

describe.each(CLIENT_FORMATS.flatMap((client) => VENDOR_FORMATS.map((vendor) => ({ client, vendor }))))(
  'a request of $client at a vendor of $vendor',
  ({ client, vendor }) => {
    for (const { member, fate } of CELLS.filter((cell) => cell.client === client && cell.vendor === vendor)) {
      const says = member.says[client]!;
      if ('carried' in fate)
        it(`carries ${member.name}`, async () => {
          expect(await sent(client, vendor, says)).toMatchObject(fate.carried);
        });
      else if ('refused' in fate)
        it(`is refused for ${member.name}, with the name of the member`, async () => {
          const count = stage.vendor.seen.length;
          await expect(sent(client, vendor, says)).rejects.toMatchObject({
            kind: 'invalid_request',
            message: expect.stringMatching(fate.refused),
          });
          expect(stage.vendor.seen).toHaveLength(count);
        });
      else
        it(`is sent without ${member.name}`, async () => {
          expect(await sent(client, vendor, says)).toEqual(await sent(client, vendor, {}));
        });
      if ('leftOut' in fate)
        it(`reports ${member.name} as missing to callers who require parameters`, () => {
          expect(lackedSetting(client, vendor, { ...BASE[client], ...says })).toMatch(fate.leftOut);
          expect(lackedSetting(client, vendor, BASE[client])).toBeUndefined();
        });
      else
        it(`does not report ${member.name} as missing`, () => {
          expect(lackedSetting(client, vendor, { ...BASE[client], ...says })).toBeUndefined();
        });
    }
  },
);
