import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { keptBelow } from '../../support/files/file-uploads.js';
import { LONG_TESTS } from '../../support/long-tests.js';
import { GOOD_FORM, HOSTILE_FORMS, FORMS_WITH_EXTRA_PARTS } from '../../support/hostile/hostile-forms.js';
import { rawHttp } from '../../support/hostile/raw-http.js';
import {
  startTestService,
  TEST_API_KEY,
  TEST_MANAGEMENT_KEY,
  type TestService,
} from '../../support/services/test-service.js';
import { sendUpload, spoiled, type Sending } from '../../support/hostile/stepwise-upload.js';
import { temporaryRoot } from '../../support/temporary-folder.js';

describe('POST /files with hostile uploads', () => {
  let dataDir: string;
  let service: TestService;
  beforeAll(async () => {
    dataDir = await mkdtemp(join(temporaryRoot(), 'gatehouse-test-'));
    service = await startTestService({ env: { DATA_DIR: dataDir, UPLOAD_IDLE_TIMEOUT_MS: '3000' } });
  });
  afterAll(async () => {
    await service.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  const rows = async (): Promise<bigint> =>
    (await service.sql.query<{ found: bigint }>('select count(*) as found from file'))[0]!.found;

  const send = (sending: Sending, step: number, declared = true) => sendUpload(service, sending, step, declared);

  /**
   * The sizes of the pieces. Single bytes need one packet per byte, so a short run sends only every fourth form as
   * single bytes.
   */
  const steps = (body: Buffer, at: number): number[] =>
    body.length < 2_000 ? [...(LONG_TESTS || at % 4 === 0 ? [1] : []), 7, body.length || 1] : [65_536];

  it('is tested with at least eighty forms', () => {
    expect(HOSTILE_FORMS.length).toBeGreaterThanOrEqual(80);
  });

  it.each(HOSTILE_FORMS.map((form, at) => [form.what, form, at] as const))(
    'refuses %s with an error in the envelope, and stores nothing',
    async (_, form, at) => {
      for (const step of steps(form.body, at)) {
        for (const declared of [true, false]) {
          const answer = await send(form, step, declared);
          expect([step, declared, answer.status, answer.json.error.code]).toEqual([
            step,
            declared,
            form.status,
            form.status,
          ]);
          expect(answer.json.error.message.length).toBeGreaterThan(10);
        }
      }
      expect([await rows(), await keptBelow(dataDir)]).toEqual([0n, []]);
    },
    60_000,
  );

  it.each(FORMS_WITH_EXTRA_PARTS)(
    'ignores %s, however the form is divided into pieces',
    async (_, body) => {
      for (const step of [1, 61, 65_536]) {
        expect((await send({ body, contentType: GOOD_FORM.contentType }, step)).status).toBe(200);
        const [kept, ...others] = await keptBelow(dataDir);
        expect([await readFile(kept!, 'utf8'), others, await rows()]).toEqual(['hello', [], 1n]);
        await service.sql.query('delete from file');
        await rm(join(dataDir, 'files'), { recursive: true, force: true });
      }
    },
    60_000,
  );

  it('returns 200 or 400 for a form that is damaged in random places and sent in pieces of any size', async () => {
    const rounds = LONG_TESTS ? 10_000 : 300;
    const statuses = new Map<number, number>();
    for (let round = 0; round < rounds; round++) {
      const body = spoiled(GOOD_FORM.body, round);
      const { status } = await send({ body, contentType: GOOD_FORM.contentType }, 1 + ((round * 7) % 40));
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }

    expect([...statuses.keys()].filter((status) => status !== 200 && status !== 400)).toEqual([]);
    expect(BigInt(statuses.get(200) ?? 0)).toBe(await rows());
    expect((await keptBelow(dataDir)).length).toBe(statuses.get(200) ?? 0);
    await service.sql.query('delete from file');
    await rm(join(dataDir, 'files'), { recursive: true, force: true });
  }, 600_000);

  it('stores every byte of a file whose text resembles boundaries, in pieces of any size', async () => {
    const boundary = /boundary=(.+)$/.exec(GOOD_FORM.contentType)![1]!;
    const lookalikes = [
      '\r',
      '\n',
      '\r\n',
      '\r\n-',
      '\r\n--',
      `\r\n--${boundary.slice(0, -1)}`,
      `x--${boundary}`,
      `x\n--${boundary}--`,
      'some text, ',
      'é🎉'.repeat(50),
    ];
    const [before, after] = [
      GOOD_FORM.body.subarray(0, GOOD_FORM.body.indexOf('hello')),
      GOOD_FORM.body.subarray(GOOD_FORM.body.indexOf('hello') + 5),
    ];
    for (const [round, step] of [65_536, 29_696, 1_000, 61, 65_535, 100_003].entries()) {
      const content = Buffer.from(
        Array.from(
          { length: round === 3 ? 2_000 : 60_000 },
          (_, index) => lookalikes[(index * 7 + ((index * index) >> (3 + round))) % lookalikes.length],
        )
          .join('')
          .replaceAll(`\r\n--${boundary}`, 'a real one'),
      );
      const { status } = await send(
        { body: Buffer.concat([before, content, after]), contentType: GOOD_FORM.contentType },
        step,
      );
      const [kept] = await keptBelow(dataDir);

      expect([status, (await readFile(kept!)).equals(content)]).toEqual([200, true]);
      await service.sql.query('delete from file');
      await rm(join(dataDir, 'files'), { recursive: true, force: true });
    }
  }, 60_000);

  const head = (key: string, length: number, extra = ''): string =>
    `POST /api/v1/files${extra} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n` +
    `Content-Type: ${GOOD_FORM.contentType}\r\nContent-Length: ${length}\r\nExpect: 100-continue\r\n` +
    `Connection: close\r\n\r\n`;

  it.each([
    ['another class of key', 403, TEST_API_KEY, 1_000, ''],
    ['an unknown key', 401, 'wrong', 1_000, ''],
    ['an unknown workspace', 400, TEST_MANAGEMENT_KEY, 1_000, '?workspace_id=00000000-0000-7000-8000-000000000000'],
    ['a malformed workspace id', 400, TEST_MANAGEMENT_KEY, 1_000, '?workspace_id=x'],
    ['a declared length beyond the cap', 413, TEST_MANAGEMENT_KEY, 105_000_000, ''],
  ])('refuses %s with %i and never sends 100 Continue', async (_, status, key, length, query) => {
    const answer = await rawHttp(service.origin, head(key, length, query), []);

    expect(answer.status).toBe(status);
    expect(answer.text).not.toContain('100 Continue');
  });

  it('sends 100 Continue when it starts to read', async () => {
    const answer = await rawHttp(service.origin, head(TEST_MANAGEMENT_KEY, GOOD_FORM.body.length), [GOOD_FORM.body]);

    expect(answer.text).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK/);
    await service.sql.query('delete from file');
    await rm(join(dataDir, 'files'), { recursive: true, force: true });
  });

  it.each([
    [
      'a second file',
      '\r\n--xBOUNDARYx\r\nContent-Disposition: form-data; name="file"; filename="b"\r\n\r\nx\r\n--xBOUNDARYx--\r\n',
    ],
    ['no closing boundary', '\r\n--xBOUNDARYx'],
    ['a disconnect of the client', null],
  ])('keeps nothing of a complete file if %s follows a while later', async (_, rest) => {
    const whole = GOOD_FORM.body.subarray(0, GOOD_FORM.body.indexOf('hello') + 5);
    const delimiter = '\r\n--xBOUNDARYx';
    const socket = connect(Number(new URL(service.origin).port), '127.0.0.1');
    socket.write(
      head(TEST_MANAGEMENT_KEY, whole.length + delimiter.length + (rest?.length ?? 10)).replace(
        'Expect: 100-continue\r\n',
        '',
      ),
    );
    socket.write(Buffer.concat([whole, Buffer.from(delimiter)]));
    await sleep(200);
    let answer = '';
    socket.setEncoding('latin1').on('data', (piece: string) => (answer += piece));
    if (rest === null) socket.destroy();
    else socket.write(rest);
    await once(socket, 'close');
    const until = performance.now() + 5_000;
    while ((await keptBelow(dataDir)).length > 0 && performance.now() < until) await sleep(10);

    expect(answer.slice(0, 13)).toBe(rest === null ? '' : 'HTTP/1.1 400 ');
    expect([await rows(), await keptBelow(dataDir)]).toEqual([0n, []]);
  });

  it('cancels an upload that stalls, and stores nothing', async () => {
    const answer = await rawHttp(service.origin, head(TEST_MANAGEMENT_KEY, GOOD_FORM.body.length), [
      GOOD_FORM.body.subarray(0, 100),
    ]);

    expect([answer.status, answer.text]).toEqual([
      408,
      expect.stringContaining('was cancelled because it sent nothing'),
    ]);
    expect([await rows(), await keptBelow(dataDir)]).toEqual([0n, []]);
  });

  /** The start of a form whose first part is named `file` but is not a file. */
  const NO_FILE = Buffer.from('--xBOUNDARYx\r\nContent-Disposition: form-data; name="file"\r\n\r\n');

  it('returns 400 after the first bytes of 100 MB without a file, and every client can read the response', async () => {
    const body = Buffer.alloc(104_857_600, 0xff);
    NO_FILE.copy(body);
    for (let round = 0; round < (LONG_TESTS ? 5 : 2); round++)
      expect((await send({ body, contentType: GOOD_FORM.contentType }, 65_536)).status).toBe(400);
    const answer = await fetch(`${service.origin}/api/v1/files`, {
      method: 'POST',
      body,
      headers: { authorization: `Bearer ${TEST_MANAGEMENT_KEY}`, 'content-type': GOOD_FORM.contentType },
    });
    expect(answer.status).toBe(400);
    expect([await rows(), await keptBelow(dataDir)]).toEqual([0n, []]);
  }, 60_000);

  it('delivers the refusal to a client that starts to read only after it has sent everything', async () => {
    const length = 100_000_000;
    const start = NO_FILE;
    const socket = connect(Number(new URL(service.origin).port), '127.0.0.1').pause();
    socket.write(head(TEST_MANAGEMENT_KEY, length).replace('Expect: 100-continue\r\n', ''));
    socket.write(start);
    const chunk = Buffer.alloc(1_000_000, 0xff);
    for (let sent = start.length; sent < length; sent += chunk.length) {
      await new Promise<void>((resolve, reject) => {
        socket.write(chunk.subarray(0, Math.min(chunk.length, length - sent)), (error) =>
          error ? reject(error) : resolve(),
        );
      });
    }
    let answer = '';
    for await (const piece of socket) answer += String(piece);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  }, 60_000);
});
