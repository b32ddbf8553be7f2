import { OpenRouter } from '@openrouter/sdk';
import { ForbiddenResponseError, NotFoundResponseError } from '@openrouter/sdk/models/errors';
import {
  startTestService,
  TEST_API_KEY,
  TEST_MANAGEMENT_KEY,
  type TestService,
} from '../../../support/services/test-service.js';

describe('@openrouter/sdk on files', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ env: { WIRE_DIALECT: 'openrouter' } });
  });
  afterAll(() => service.stop());

  const sdk = (apiKey: string): OpenRouter =>
    new OpenRouter({ apiKey, serverURL: `${service.origin}/api/v1`, retryConfig: { strategy: 'none' } });

  it('uploads, retrieves, lists and deletes files, page by page in lists', async () => {
    const { files } = sdk(TEST_MANAGEMENT_KEY);
    const uploaded = [];
    for (const name of ['one.json', 'two.json', 'three.json'])
      uploaded.push(await files.upload({ requestBody: { file: new File([`{"name":"${name}"}`], name) } }));

    expect(uploaded[0]).toMatchObject({
      shape: 'openrouter',
      type: 'file',
      filename: 'one.json',
      mimeType: 'application/json',
      sizeBytes: 19,
      downloadable: false,
    });
    const ids = uploaded.map((file) => (file as { id: string }).id);
    expect(await files.retrieve({ fileId: ids[0]! })).toEqual(uploaded[0]);

    const listed: string[] = [];
    for await (const { result } of await files.list({ limit: 2 }))
      listed.push(...(result as { data: { id: string }[] }).data.map(({ id }) => id));
    expect(listed).toEqual(ids);

    expect(await files.delete({ fileId: ids[0]! })).toMatchObject({
      shape: 'openrouter',
      id: ids[0],
      type: 'file_deleted',
    });
    await expect(files.retrieve({ fileId: ids[0]! })).rejects.toBeInstanceOf(NotFoundResponseError);
  });

  it('throws its error class for a standard key', async () => {
    await expect(sdk(TEST_API_KEY).files.list()).rejects.toBeInstanceOf(ForbiddenResponseError);
  });
});
