import { setTimeout as sleep } from 'node:timers/promises';
import { Sql } from '../../../src/database/sql.js';
import { expectBalanced, readBooks } from '../../support/money/count-the-money.js';
import { startEndlessVendor, type EndlessVendor } from '../../support/vendors/endless-vendor.js';
import { eventually } from '../../support/eventually.js';
import { SlowSocket } from '../../support/hostile/slow-socket.js';
import { createTestDatabase } from '../../support/database/test-database.js';
import { TEST_MANAGEMENT_KEY, type TestService, type TestServiceOptions } from '../../support/services/test-service.js';
import {
  BEYOND_LIMITS_MS,
  capturedOutput,
  expectSettled,
  LIMITS,
  startSlowService,
} from '../../support/services/slow-service.js';

const SPEECH = { model: 'slow/speech', input: 'Hello', voice: 'alloy' };
const PICTURE = { model: 'slow/pictures', prompt: 'x' };
describe('slow callers', () => {
  let vendor: EndlessVendor;
  beforeAll(async () => {
    vendor = await startEndlessVendor();
  });
  afterAll(() => vendor.close());

  const started = (options?: TestServiceOptions) => startSlowService(vendor, options);
  const billedSoFar = async (service: Pick<TestService, 'sql'>): Promise<bigint> =>
    (await service.sql.query<{ billed: bigint }>('select count(*) as billed from generation where cost > 0'))[0]!
      .billed;

  describe('who read', () => {
    let service: TestService;
    beforeAll(async () => {
      service = await started();
    });
    afterAll(() => service.stop());

    it.each([
      ['speech, which is billed in full', '/audio/speech', SPEECH, 1],
      ['a picture in JSON, which is settled before it is sent', '/images', PICTURE, 1],
      [
        'previews of a picture, which is not billed: the vendor never completed it',
        '/images',
        { ...PICTURE, stream: true },
        0,
      ],
    ])(
      'nothing are cut off: %s',
      async (_, path, body, billed) => {
        const before = await billedSoFar(service);
        const caller = new SlowSocket(service.origin).post(path, body);
        await eventually(async () =>
          expect(vendor.open + Number((await billedSoFar(service)) - before)).toBeGreaterThan(0),
        );
        await expectSettled(vendor, service, before, { billed });
        await sleep(BEYOND_LIMITS_MS);
        // The bytes in the caller's kernel arrive first, then the end of the connection.
        caller.read();
        expect(await caller.endsWithin(5_000)).toBe(true);
        expect(caller.status).toBe(200);
        expect(caller.text.length).toBeLessThan(15_000_000);
      },
      60_000,
    );

    it('less than the minimum rate are cut off, and a caller that reads faster is not', async () => {
      const before = await billedSoFar(service);
      const slow = new SlowSocket(service.origin).post('/audio/speech', SPEECH);
      const quick = new SlowSocket(service.origin).post('/audio/speech', SPEECH);
      let isQuickOpen = true;
      const sipped = quick.sip(1_000_000, 5).then(() => (isQuickOpen = false));
      const read = await Promise.race([slow.sip(10_000, 100), sleep(20_000, -1)]);
      expect(read).toBeGreaterThan(0);
      expect(isQuickOpen).toBe(true);
      quick.destroy();
      await sipped;
      await expectSettled(vendor, service, before, { billed: 2 });
    }, 60_000);

    it('fast enough are not cut off after the service itself was blocked', async () => {
      const before = await billedSoFar(service);
      const caller = new SlowSocket(service.origin).post('/audio/speech', SPEECH);
      let isOpen = true;
      const sipped = caller.sip(1_000_000, 5).then(() => (isOpen = false));
      await sleep(1_000);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2 * Number(LIMITS.READER_IDLE_TIMEOUT_MS));
      await sleep(1_000);
      expect(isOpen).toBe(true);
      caller.destroy();
      await sipped;
      await expectSettled(vendor, service, before, { billed: 1 });
    }, 60_000);

    it('everything at once are not cut off while the vendor is silent', async () => {
      const caller = new SlowSocket(service.origin)
        .read()
        .post('/audio/speech', { ...SPEECH, input: `pause ${BEYOND_LIMITS_MS}` });
      await eventually(async () => expect(caller.text.endsWith('0\r\n\r\n')).toBe(true));
      expect(caller.text.length).toBeGreaterThan(131_072);
      caller.destroy();
    }, 60_000);

    it('nothing of many responses to pipelined requests are cut off', async () => {
      const size = (await service.standard.get('/models?output_modalities=all')).bytes.length;
      const caller = new SlowSocket(service.origin);
      for (let sent = 0; sent < 40_000_000; sent += size) caller.begin('GET', '/models?output_modalities=all', 0);
      await sleep(BEYOND_LIMITS_MS);
      caller.read();
      expect(await caller.endsWithin(5_000)).toBe(true);
      expect(caller.text.length).toBeLessThan(30_000_000);
    }, 60_000);

    it('nothing of a file are cut off, and no error is logged', async () => {
      const form = new FormData();
      form.set('file', new Blob([Buffer.alloc(30_000_000, 'a')]), 'a.txt');
      const { json } = await service.management.post('/files', { body: form });
      await service.sql.query('update file set downloadable = true where id = $1', [json.id.slice('file-'.length)]);
      const errors = capturedOutput(process.stderr);
      const caller = new SlowSocket(service.origin, TEST_MANAGEMENT_KEY).begin('GET', `/files/${json.id}/content`, 0);
      await sleep(BEYOND_LIMITS_MS);
      const said = errors.stop();
      caller.read();
      expect(await caller.endsWithin(5_000)).toBe(true);
      expect(caller.text.length).toBeLessThan(30_000_000);
      expect(said).not.toContain('ERROR');
    }, 60_000);
  });

  describe('with bodies that', () => {
    let service: TestService;
    beforeAll(async () => {
      service = await started({ env: { READER_MIN_BYTES_PER_SECOND: '1024' } });
    });
    afterAll(() => service.stop());

    const FORM = 'multipart/form-data; boundary=b';
    const FILE = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nhello';
    const KINDS = [
      ['/audio/speech', 'application/json', '{"model":"slow/speech",', undefined],
      ['/images', 'application/json', '', undefined],
      ['/keys', 'application/json', '{', TEST_MANAGEMENT_KEY],
      ['/files', FORM, FILE, TEST_MANAGEMENT_KEY],
    ] as const;

    it.each(KINDS)(
      'stall are answered 408 in the envelope: POST %s',
      async (path, contentType, start, key) => {
        const caller = new SlowSocket(service.origin, key).read().begin('POST', path, 100_000, contentType);
        caller.send(start);
        expect(await caller.endsWithin(15_000)).toBe(true);
        expect(caller.status).toBe(408);
        expect(caller.json).toEqual({ error: { code: 408, message: expect.stringMatching(/too slowly/) } });
        expect(caller.text.toLowerCase()).toContain('connection: close');
      },
      60_000,
    );

    it('arrive too slowly are answered 408, even two hundred at the same time', async () => {
      const callers = Array.from({ length: 200 }, (_, index) => {
        const [path, contentType, start, key] = KINDS[index % KINDS.length]!;
        const caller = new SlowSocket(service.origin, key).read().begin('POST', path, 100_000, contentType);
        caller.send(start);
        void caller.trickle(100);
        return caller;
      });
      const ended = await Promise.all(callers.map((caller) => caller.endsWithin(25_000)));
      expect(ended).toEqual(callers.map(() => true));
      expect(callers.map(({ status }) => status)).toEqual(callers.map(() => 408));
      expect((await readBooks(service.sql)).openReservations).toBe(0n);
    }, 60_000);

    it('stall on a route of interns are answered 408 with the reason timeout', async () => {
      const caller = new SlowSocket(service.origin).read().begin('POST', '/interns', 100);
      caller.send('{');
      expect(await caller.endsWithin(15_000)).toBe(true);
      expect(caller.json).toEqual({
        error: { code: 408, message: expect.any(String), metadata: { reason: 'timeout', retryable: true } },
      });
    }, 60_000);

    it('the service does not read are also cut off, if the response was already sent', async () => {
      const caller = new SlowSocket(service.origin).read().begin('GET', '/models', 100_000);
      void caller.trickle(100);
      await eventually(async () => expect(caller.status).toBe(200));
      expect(await caller.endsWithin(15_000)).toBe(true);
    }, 60_000);

    it('come at a steady rate are read to their end', async () => {
      const body = JSON.stringify({ ...SPEECH, input: 'pause 0', unknown: 'x'.repeat(20_000) });
      const caller = new SlowSocket(service.origin).read().begin('POST', '/audio/speech', body.length);
      for (let at = 0; at < body.length; at += 500) {
        caller.send(body.slice(at, at + 500));
        await sleep(70);
      }
      await eventually(async () => expect(caller.status).toBe(200));
      caller.destroy();
    }, 60_000);
  });

  describe('while the service stops', () => {
    it('are cut off within 15 seconds, even if the timeouts are longer, and their calls are settled', async () => {
      const database = await createTestDatabase();
      const sql = new Sql(database.url, 2);
      const service = await started({
        databaseUrl: database.url,
        env: {
          READER_IDLE_TIMEOUT_MS: '120000',
          READER_RATE_WINDOW_MS: '60000',
          SHUTDOWN_TIMEOUT_MS: '60000',
          SHUTDOWN_STALL_TIMEOUT_MS: '500',
        },
      });
      const before = await billedSoFar(service);
      const callers = [
        new SlowSocket(service.origin).post('/audio/speech', SPEECH),
        new SlowSocket(service.origin).post('/images', PICTURE),
        new SlowSocket(service.origin).begin('POST', '/audio/speech', 10_000),
        new SlowSocket(service.origin, TEST_MANAGEMENT_KEY).begin(
          'POST',
          '/files',
          10_000,
          'multipart/form-data; boundary=b',
        ),
      ];
      const trickled = new SlowSocket(service.origin).begin('POST', '/keys', 10_000);
      void trickled.trickle(50);
      const waiting = new SlowSocket(service.origin).read().post('/audio/speech', { ...SPEECH, input: 'pause 2500' });
      await eventually(async () => expect([vendor.open, (await billedSoFar(service)) - before]).toEqual([2, 1n]));
      const start = performance.now();
      await service.stop();
      expect(performance.now() - start).toBeLessThan(15_000);
      // A caller that waits for its vendor is not a slow caller.
      expect(waiting.text.endsWith('0\r\n\r\n')).toBe(true);
      const books = await readBooks(sql);
      expectBalanced(books);
      expect(books.openReservations).toBe(0n);
      expect((await billedSoFar({ sql })) - before).toBe(3n);
      for (const caller of [...callers, trickled, waiting]) caller.destroy();
      await sql.close();
      await database.drop();
    }, 90_000);
  });
});
