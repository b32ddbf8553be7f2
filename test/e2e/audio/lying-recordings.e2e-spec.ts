import { Balances } from '../../../src/billing/balances.js';
import { eventually } from '../../support/eventually.js';
import { accountTotals } from '../../support/money/account-totals.js';
import { makeKey } from '../../support/api/api-builders.js';
import { startAudioStage, WHISPER, type AudioStage } from '../../support/calls/audio-stage.js';
import { aWav } from '../../support/files/recordings.js';
import {
  aFastWav,
  aFlacOfATenth,
  aLongAdts,
  aMatroskaAtOneTime,
  anMp3OfTenFrames,
  anMp4OfShortSamples,
  anOggThatEndsAtOnce,
} from '../../support/files/recordings-that-lie.js';
import { makeSecondAccount, type SecondAccount } from '../../support/money/second-account.js';

const CALLS = 40;
const KEY_LIMIT_USD = 0.0125;
const CREDITS_USD = 0.25;
const HOUR = { text: 'x', duration: 3_600 };
const usd = (nano: bigint): number => Number(nano) / 1e9;

const LYING: [container: string, format: string, () => Buffer][] = [
  ['WAV with a sample rate of 4 GHz', 'wav', aFastWav],
  ['MP3 with ten frames in its Xing header', 'mp3', anMp3OfTenFrames],
  ['Ogg with pages that end at once', 'ogg', anOggThatEndsAtOnce],
  ['WebM with one time for all blocks', 'webm', aMatroskaAtOneTime],
  ['FLAC with a stated length of a tenth of a second', 'flac', aFlacOfATenth],
  ['MP4 with samples of a microsecond', 'm4a', anMp4OfShortSamples],
  ['AAC without a container', 'aac', aLongAdts],
  ['WAV of a fraction of a second', 'wav', () => aWav(0.25)],
];

describe('forty simultaneous transcriptions for each of which the vendor reports an hour', () => {
  let stage: AudioStage;
  let account: SecondAccount;
  let accountNo: number;
  beforeAll(async () => {
    stage = await startAudioStage();
    account = await makeSecondAccount(stage.service);
    const [row] = await stage.service.sql.query<{ no: number }>('select no from account where id = $1', [
      account.accountId,
    ]);
    accountNo = row!.no;
  });
  afterAll(() => stage.stop());

  /** Sends the calls. Returns the largest charge of a single call, in USD. */
  async function transcribe(key: string, recording: Buffer, format: string): Promise<number> {
    const input_audio = { data: recording.toString('base64'), format };
    stage.vendor.script(...Array.from({ length: CALLS }, () => ({ body: HOUR })));
    const answers = await Promise.all(
      Array.from({ length: CALLS }, () =>
        stage.service.as(key).post('/audio/transcriptions', { json: { model: WHISPER, input_audio } }),
      ),
    );
    for (const { status } of answers) expect([200, 402]).toContain(status);
    for (const { status, headers } of answers)
      if (status === 200) expect(await stage.anomaliesOf(headers.get('x-generation-id')!)).toEqual(['usage_excessive']);
    return Math.max(0, ...answers.map(({ json }) => json.usage?.cost ?? 0));
  }

  it.each(LYING)('do not exceed the limit of the key: %s', async (_, format, recording) => {
    const { key, hash } = await makeKey(stage.service.management, { limit: KEY_LIMIT_USD });
    await transcribe(key, recording(), format);
    const { json } = await stage.service.management.get(`/keys/${hash}`);
    expect(json.data.usage).toBeLessThanOrEqual(KEY_LIMIT_USD);
  });

  it.each(LYING.slice(0, 2))('do not exceed the credits of the account: %s', async (_, format, recording) => {
    const amount = BigInt(CREDITS_USD * 1e9);
    const grant = { accountNo, amount, kind: 'grant', reason: 'test', idempotencyId: recording.name + format } as const;
    await stage.service.app.get(Balances, { strict: false }).grant(grant);
    const key = account.standardKey;
    await transcribe(key, recording(), format);
    const [{ granted, spent }] = (await stage.service.sql.query<{ granted: bigint; spent: bigint }>(
      'select granted, spent from account_balance where account_no = $1',
      [accountNo],
    )) as [{ granted: bigint; spent: bigint }];
    expect(usd(spent)).toBeLessThanOrEqual(usd(granted));
    // A credit lease is returned when its key is idle.
    await eventually(async () => expect((await accountTotals(stage.service.sql)).reserved).toBe(0n));
    // Reset the credits for the next recording.
    await stage.service.sql.query('update account_balance set granted = spent where account_no = $1', [accountNo]);
  });
});
