import { rawHttp } from '../../support/hostile/raw-http.js';
import { startTestService, TEST_MANAGEMENT_KEY, type TestService } from '../../support/services/test-service.js';

const at = (user: string): string => `/end-users/${encodeURIComponent(user)}`;

describe('end users:', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service.stop());
  const register = (user: unknown) => service.management.post('/end-users', { json: { user } });

  describe('tracking ids', () => {
    const IDS = [
      'plain',
      'PLAIN',
      'Plain',
      'a/b',
      'a/',
      '/a',
      '//',
      'a%2Fb',
      '100%',
      '%',
      '%%',
      '%00',
      'a+b',
      'a b',
      ' a',
      'a ',
      '?',
      'a?b=c',
      '#',
      'a#b',
      '&',
      '=',
      ';',
      ',',
      ':',
      '@',
      "'",
      '"',
      '\\',
      '<b>',
      '{user}',
      '.',
      '..',
      '...',
      '../x',
      './x',
      '\u00e9',
      'e\u0301',
      '\u212b',
      '\u00c5',
      'A\u030a',
      'ﬁ',
      'fi',
      'ß',
      'ss',
      'İ',
      'i',
      'ı',
      '👩‍👩‍👧‍👦',
      '👩',
      '\u200b',
      'a\u200bb',
      '\u2028',
      '\u202e',
      'x'.repeat(256),
      '👍'.repeat(256),
      '日本語',
      '__proto__',
      'constructor',
      'null',
      'true',
      '0',
    ];

    it('are distinguished and stored unchanged, whatever characters they contain', async () => {
      for (const id of IDS) expect([id, (await register(id)).status]).toEqual([id, 201]);
      // Clients resolve . and .. in paths before they send the request. A test below covers these two ids.
      const reachable = IDS.filter((id) => !['.', '..'].includes(id));
      for (const id of reachable)
        expect([id, (await service.management.get(at(id))).json.data?.user]).toEqual([id, id]);
      for (const id of reachable)
        expect((await service.management.get(`/end-users?user=${encodeURIComponent(id)}`)).json).toMatchObject({
          total_count: 1,
          data: [{ user: id }],
        });
    });

    it.each(['.', '..', '%2E', '%2e%2E', '%2e.'])(
      'written as %s in the path are decoded, if the client sends the path unchanged',
      async (segment) => {
        const head =
          `GET /api/v1/end-users/${segment} HTTP/1.1\r\nHost: x\r\n` +
          `Authorization: Bearer ${TEST_MANAGEMENT_KEY}\r\nConnection: close\r\n\r\n`;
        const answer = await rawHttp(service.origin, head, []);
        expect(answer.status).toBe(200);
        expect(answer.text).toContain(`"user":"${decodeURIComponent(segment)}"`);
      },
    );

    it('with special characters identify the end user in PATCH and DELETE as in GET', async () => {
      for (const id of ['a/b', '100%', '👩‍👩‍👧‍👦', 'e\u0301', 'a+b', '%00']) {
        expect((await service.management.patch(at(id), { json: { is_active: false } })).json.data).toMatchObject({
          user: id,
          is_active: false,
        });
        expect((await service.management.delete(at(id))).json).toMatchObject({
          deleted: true,
          data: { user: id, is_active: false },
        });
      }
      expect((await service.management.get(at('\u00e9'))).json.data.is_active).toBe(true);
    });

    it.each([
      ['', '1 to 256 characters'],
      ['x'.repeat(257), '1 to 256 characters'],
      ['👍'.repeat(257), '1 to 256 characters'],
      ['a\u0000', 'control characters'],
      ['a\nb', 'control characters'],
      ['\u007f', 'control characters'],
      ['\u009f', 'control characters'],
      ['\ud83d', 'well-formed Unicode'],
      [42, 'string'],
      [null, 'string'],
    ])('are refused with 400 if the id is %j', async (id, named) => {
      const answer = await register(id);
      expect(answer.status).toBe(400);
      expect(answer.json.error.message).toContain(named);
    });

    it.each(['x'.repeat(257), '%0A', '%00', '%7F', '%C2%85', '%ZZ', '%', '%C3', '%ED%A0%80'])(
      'are refused with 400 if the path has %s',
      async (segment) => {
        for (const method of ['get', 'patch', 'delete'] as const) {
          expect(
            (
              await service.management[method](
                `/end-users/${segment}`,
                method === 'patch' ? { json: { is_active: true } } : {},
              )
            ).status,
          ).toBe(400);
        }
      },
    );
  });
});
