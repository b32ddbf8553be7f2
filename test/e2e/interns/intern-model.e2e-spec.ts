import { ModelAliases } from '../../../src/catalogue/names/model-aliases.js';
import { eventually } from '../../support/eventually.js';
import { refusal, startInternsStage, type InternsStage, type Member } from '../../support/interns/interns-stage.js';

describe('the model of an intern', () => {
  let stage: InternsStage;
  let me: Member;
  let path: string;
  beforeAll(async () => {
    stage = await startInternsStage();
    me = await stage.member();
    path = `/interns/${(await me.api.post('/interns', { json: { name: 'ab' } })).json.id}`;
  });
  afterAll(() => stage.stop());
  const patch = async (model: unknown) => me.api.patch(path, { json: { model } });

  it('is a model of text, by its slug', async () => {
    expect((await patch('builtin/eliza')).json).toMatchObject({ model: 'builtin/eliza' });
    expect((await patch(null)).json).toMatchObject({ model: null });
  });

  it.each([
    ['an unknown model', 'author/unknown'],
    ['a model of speech', 'builtin/flite'],
    ['a model of images', 'builtin/poster'],
    ['a model of embeddings', 'openai/text-embedding-3-small'],
  ])('is not changed to %s, and the response is 400 invalid_body', async (_, model) => {
    await patch('builtin/eliza');
    const refused = await patch(model);
    expect([refused.status, refused.json]).toEqual([400, refusal(400, 'invalid_body')]);
    expect(refused.json.error.message).toContain(model);
    expect((await me.api.get(path)).json.model).toBe('builtin/eliza');
  });

  it('may be an alias of a text model, and remains this alias', async () => {
    const aliases = stage.app.get(ModelAliases, { strict: false });
    await aliases.set('house/talker', ['builtin/eliza'], async () => undefined);
    await aliases.set('house/speaker', ['builtin/flite'], async () => undefined);
    await eventually(async () => expect(aliases.slugOf('house/speaker')).toBe('builtin/flite'));
    expect((await patch('house/talker')).json).toMatchObject({ model: 'house/talker' });
    expect((await patch('house/speaker')).status).toBe(400);
  });
});
