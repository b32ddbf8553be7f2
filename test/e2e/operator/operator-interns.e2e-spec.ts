import { startInternsStage, type InternsStage } from '../../support/interns/interns-stage.js';
import { operate } from '../../support/services/operator-line.js';

describe("the operator's commands for interns:", () => {
  let stage: InternsStage;
  beforeAll(async () => {
    stage = await startInternsStage({ env: { INTERN_RUNTIME: 'none' } });
  });
  afterAll(() => stage.stop());
  const operator = (...words: string[]) => operate(stage.databaseUrl, { DATABASE_URL: stage.databaseUrl }, ...words);

  it('programme admit and programme expel apply at once; a member outside the programme gets 404', async () => {
    const outsider = await stage.member({ inProgramme: false });
    expect((await outsider.api.get('/interns')).status).toBe(404);
    expect(JSON.parse((await operator('programme', 'admit', outsider.userId, '--json')).lines.join(''))).toEqual({
      user: outsider.userId,
      interns_programme: true,
      accounts: 1,
    });
    expect((await outsider.api.get('/interns')).status).toBe(200);
    await operator('programme', 'expel', outsider.userId, '--account', outsider.accountId);
    expect((await outsider.api.get('/interns')).status).toBe(404);
    expect(
      (
        await stage.sql.query(
          `select 1 from audit_entry where actor = 'operator' and resource_kind = 'member' and resource_id = $1`,
          [outsider.userId],
        )
      ).length,
    ).toBe(2);
  });

  it('workspaces set --interns decides whether interns may be created in the workspace', async () => {
    const me = await stage.member();
    await operator('workspaces', 'set', me.workspaceId, '--interns', 'off');
    expect((await me.api.post('/interns', { json: { name: 'ab' } })).json.error.metadata.reason).toBe(
      'workspace_capability_unavailable',
    );
    await operator('workspaces', 'set', me.workspaceId, '--interns', 'on');
    expect((await me.api.post('/interns', { json: { name: 'ab' } })).status).toBe(201);
  });

  it('the owner from the first start is in the programme without a command', async () => {
    expect((await stage.standard.get('/interns')).status).toBe(200);
  });

  it.each([
    [['programme', 'admit', 'x'], '<user> must be an id'],
    [['programme', 'admit', '01a1fb5e-7697-73ee-a7fa-328a78871244'], 'is not a member of any account'],
    [['workspaces', 'set', '01a1fb5e-7697-73ee-a7fa-328a78871244', '--interns', 'on'], 'No workspace has the id'],
    [['workspaces', 'set', '01a1fb5e-7697-73ee-a7fa-328a78871244', '--interns', 'yes'], '--interns must be on or off'],
  ])('%j is refused with a message that names the fault', async (words, message) => {
    expect(((await operator(...words)).error as Error).message).toContain(message);
  });
});
