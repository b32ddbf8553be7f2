import addFormats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { escapePointer, type OpenApiDocument, routesOf } from '../../support/api/openapi-document.js';
import { startTestService, type TestService } from '../../support/services/test-service.js';

/** Returns a check of events against the schema of a stream. */
function eventCheck(document: OpenApiDocument, path: string): (event: object) => boolean {
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  ajv.addSchema(document, 'document');
  const at = `document#/paths/${escapePointer(`/api/v1${path}`)}/post/responses/200/content/text~1event-stream/schema`;
  return ajv.compile<object>({ $ref: at });
}

describe('the OpenAPI document', () => {
  let service: TestService;
  let document: OpenApiDocument;

  beforeAll(async () => {
    service = await startTestService();
    const answer = await fetch(`${service.origin}/api/v1/openapi.json`);
    document = (await answer.json()) as OpenApiDocument;
  });

  afterAll(() => service.stop());

  it('describes the events of every stream, their framing and their end', () => {
    const streams = routesOf(document).flatMap(({ method, path, operation }) => {
      const media = operation.responses['200']?.content?.['text/event-stream'];
      return media ? [{ route: `${method} ${path}`, schema: media.schema! }] : [];
    });
    expect(streams.length).toBeGreaterThanOrEqual(9);
    const poor = streams.filter(({ schema }) => {
      const events = (schema['oneOf'] ?? [schema]) as { properties?: object }[];
      const text = String(schema['description']);
      return (
        !(/`data:`/.test(text) && /comments/.test(text) && /last event|\[DONE\]/.test(text)) ||
        !events.every((each) => each.properties)
      );
    });
    expect(poor.map(({ route }) => route)).toEqual([]);
  });

  it.each([
    ['/chat/completions', { model: 'builtin/eliza', messages: [{ role: 'user', content: 'Hello' }], stream: true }],
    [
      '/messages',
      { model: 'builtin/eliza', max_tokens: 99, messages: [{ role: 'user', content: 'Hi' }], stream: true },
    ],
    ['/responses', { model: 'builtin/eliza', input: 'Hello', stream: true }],
    [
      '/audio/speech',
      { model: 'builtin/flite', input: 'Hello', voice: 'slt', response_format: 'mp3', stream_format: 'sse' },
    ],
    ['/images', { model: 'builtin/poster', prompt: 'A tree', stream: true }],
  ])('has a schema that the stream of %s fits', async (path, json) => {
    const answer = await service.standard.post(path, { json });
    const events = [...answer.text.matchAll(/^data: (\{.*)$/gm)].map(([, data]) => JSON.parse(data!) as object);
    expect(events.length).toBeGreaterThan(0);
    const fits = eventCheck(document, path);
    expect(events.filter((event) => !fits(event))).toEqual([]);
    expect(fits({ type: 'unknown' })).toBe(false);
  });
});
