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
    ['an unknown one', 'author/unknown'],
    ['one of speech', 'builtin/flite'],
    ['one of images', 'builtin/poster'],
    ['one of embeddings', 'openai/text-embedding-3-small'],
  ])('is refused with 400 invalid_body if it is %s, and does not change', async (_, model) => {
    await patch('builtin/eliza');
    const refused = await patch(model);
    expect([refused.status, refused.json]).toEqual([400, refusal(400, 'invalid_body')]);
    expect(refused.json.error.message).toContain(model);
    expect((await me.api.get(path)).json.model).toBe('builtin/eliza');
  });

  it('may be an alias of the operator, which the intern keeps', async () => {
    const aliases = stage.app.get(ModelAliases, { strict: false });
    await aliases.set('house/talker', ['builtin/eliza'], async () => undefined);
    await aliases.set('house/speaker', ['builtin/flite'], async () => undefined);
    await eventually(async () => expect(aliases.slugOf('house/speaker')).toBe('builtin/flite'));
    expect((await patch('house/talker')).json).toMatchObject({ model: 'house/talker' });
    expect((await patch('house/speaker')).status).toBe(400);
  });
});
