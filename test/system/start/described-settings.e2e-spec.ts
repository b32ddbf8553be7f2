import type { OpenApiDocument } from '../../support/api/openapi-document.js';
import { createTestDatabase, type TestDatabase } from '../../support/database/test-database.js';
import { startServiceProcess, type ServiceProcess } from '../../support/services/service-process.js';

// Only the build writes the comments of the DTOs into the document.
describe('the built OpenAPI document', () => {
  let database: TestDatabase;
  let service: ServiceProcess;
  beforeAll(async () => {
    database = await createTestDatabase();
    const env = { DATABASE_URL: database.url, MASTER_KEY: 'a1'.repeat(32), INTERN_RUNTIME: 'none' };
    service = await startServiceProcess(env);
  }, 120_000);
  afterAll(async () => {
    service.kill('SIGTERM');
    await service.exited;
    await database.drop();
  });

  it('says which settings of a workspace have no effect, and that interns use the default text model', async () => {
    const { components } = (await (await fetch(`${service.origin}/api/v1/openapi.json`)).json()) as OpenApiDocument;
    for (const schema of ['CreateWorkspaceRequest', 'UpdateWorkspaceRequest'])
      expect(components!['schemas']![schema]).toMatchObject({
        properties: {
          default_text_model: { description: expect.stringContaining('interns') },
          default_image_model: { description: 'Stored and returned, but without effect.' },
          default_provider_sort: { description: 'Stored and returned, but without effect.' },
        },
      });
  });
});
