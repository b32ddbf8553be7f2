import { Client } from 'pg';
import { CatalogueImports } from '../../../src/catalogue/catalogue-imports.js';
import { eventually } from '../../support/eventually.js';
import { startTestService, type TestService } from '../../support/services/test-service.js';

const MODEL = {
  id: 'acme/one',
  name: 'One',
  created: 1_790_000_000,
  description: 'A model',
  context_length: 1000,
  architecture: { input_modalities: ['text'], output_modalities: ['text'], tokenizer: 'Other', instruct_type: null },
  pricing: { prompt: '0.000001', completion: '0.000002' },
};
const published = (model: object): string => JSON.stringify({ data: [model] });

describe('an import into the catalogue that waits for another one', () => {
  let service: TestService;
  let other: Client;
  beforeAll(async () => {
    service = await startTestService();
    other = new Client({ connectionString: service.databaseUrl });
    await other.connect();
  });
  afterAll(async () => {
    await other.end();
    await service.stop();
  });

  it('keeps the changes of the other import, and reports only its own', async () => {
    const imports = service.app.get(CatalogueImports, { strict: false });
    await imports.import(published(MODEL));
    await other.query('begin; lock table catalogue_import in exclusive mode');
    const waiting = imports.import(published({ id: MODEL.id, description: 'Changed by the one that waits' }));
    await eventually(async () => {
      const { rows } = await other.query(
        `select 1 from pg_locks
         where relation = 'catalogue_import'::regclass and database = (select oid from pg_database
           where datname = current_database()) and not granted`,
      );
      expect(rows).toHaveLength(1);
    });
    await other.query(
      `update catalogue_model set entry = jsonb_set(entry, '{name}', '"Changed by the other"') where id = 'acme/one';
       insert into catalogue_import (kind, format, digest, entries, imported_at)
         values ('catalogue', 'test', '', 1, now());
       commit`,
    );

    expect((await waiting).differences).toEqual([
      expect.objectContaining({ subject: MODEL.id, member: 'description', to: 'Changed by the one that waits' }),
    ]);
    await eventually(async () =>
      expect((await service.standard.get(`/model/${MODEL.id}`)).json.data).toMatchObject({
        name: 'Changed by the other',
        description: 'Changed by the one that waits',
      }),
    );
  });
});
