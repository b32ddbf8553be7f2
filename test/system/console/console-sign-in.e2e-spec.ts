import type { Page } from 'playwright-core';
import {
  describeInChromium,
  startConsoleStage,
  type ConsolePage,
  type ConsoleStage,
} from '../../support/console/console-stage.js';
import { Keyboard } from '../../support/console/keyboard.js';
import { TestIdentityProvider } from '../../support/identity/identity-provider.js';
import { freePort } from '../../support/services/free-port.js';

const CHAT = { json: { model: 'builtin/eliza', messages: [{ role: 'user', content: 'Hello' }] } };
const ROLES = 'gw-owners=owner,gw-dev=developer,gw-look=viewer';
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

describeInChromium('the people of a team, in the console', () => {
  let provider: TestIdentityProvider;
  let stage: ConsoleStage;
  const pages: ConsolePage[] = [];

  beforeAll(async () => {
    const port = await freePort();
    provider = await TestIdentityProvider.start([`http://127.0.0.1:${port}/console/oidc/corp/callback`]);
    Object.assign(provider.users, {
      dora: { name: 'Dora', groups: ['gw-dev'] },
      vera: { name: 'Vera', groups: ['gw-look'] },
      olga: { name: 'Olga', groups: ['gw-owners'] },
      nils: { name: 'Nils' },
    });
    const variables = { LABEL: 'Example Corp', SCOPES: 'openid email profile groups', ROLES };
    const env = { PORT: String(port), OIDC_PROVIDERS: 'corp', ...provider.variables('corp', variables) };
    stage = await startConsoleStage({ env: { INTERN_RUNTIME: 'none', ...env } });
  }, 180_000);
  afterAll(async () => {
    await stage.stop();
    await provider.stop();
  });
  afterEach(async () => {
    const foreign = pages.flatMap(({ faults }) => faults.foreignRequests.splice(0));
    expect(foreign.filter((url) => !url.startsWith(provider.issuer))).toEqual([]);
    expect(pages.flatMap(({ faults }) => faults.errors.splice(0))).toEqual([]);
    await Promise.all(pages.splice(0).map(({ context }) => context.close()));
  });

  async function open(sub: string, options: Parameters<ConsoleStage['open']>[0] = {}): Promise<ConsolePage> {
    provider.signInAs = sub;
    const opened = await stage.open({ isSignedIn: false, ...options });
    pages.push(opened);
    return opened;
  }

  /** A page that was signed in through the provider. */
  async function signedIn(sub: string): Promise<Page> {
    const { page, goto } = await open(sub);
    await goto('/');
    await page.getByRole('button', { name: 'Sign in with Example Corp' }).click();
    await page.getByRole('heading', { name: 'Overview', exact: true }).waitFor();
    return page;
  }

  it.each([
    ['on a screen', { width: 1280, height: 800 }],
    ['on a phone', { width: 390, height: 800 }],
  ])('sign in, create a key of their own and make a first call with few clicks %s', async (_where, viewport) => {
    const { page, goto } = await open('dora', { viewport });
    const since = performance.now();
    let clicks = 0;
    const click = async (name: string): Promise<void> => {
      clicks += 1;
      await page.getByRole('button', { name, exact: true }).click();
    };
    await goto('/');
    await click('Sign in with Example Corp');
    await page.getByRole('heading', { name: 'Overview', exact: true }).waitFor();
    if (viewport.width < 500) await click('Navigation');
    clicks += 1;
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Keys', exact: true }).click();
    await click('Create key');
    await page.getByRole('dialog').getByLabel('Name').fill('Mine');
    await click('Create');
    const secret = (await page.getByRole('region', { name: 'Key', exact: true }).textContent())!;
    const call = await stage.service.as(secret).post('/chat/completions', CHAT);
    expect(call.status).toBe(200);
    const seconds = ((performance.now() - since) / 1_000).toFixed(1);
    process.stdout.write(`sign-in to a first call, ${viewport.width} px: ${clicks} clicks, ${seconds} s\n`);
    expect(clicks).toBeLessThanOrEqual(6);
  });

  it('sign in and create a key by keyboard', async () => {
    const { page, goto } = await open('dora', { reducedMotion: 'reduce' });
    const keys = new Keyboard(page);
    await goto('/');
    await page.getByRole('button', { name: 'Sign in with Example Corp' }).waitFor();
    await keys.press('Sign in with Example Corp');
    await page.getByRole('heading', { name: 'Overview', exact: true }).waitFor();
    await keys.press('Keys');
    await page.getByRole('heading', { name: 'Keys', exact: true }).waitFor();
    await keys.press('Create key');
    await keys.has('Name');
    await page.keyboard.type('By keyboard');
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'Key', exact: true }).waitFor();
    expect(keys.invisible).toEqual([]);
  });

  it('see what their role allows: a typed address of another page shows why it is hidden', async () => {
    const page = await signedIn('vera');
    const shown = await page.getByRole('navigation', { name: 'Pages' }).getByRole('link').allTextContents();
    expect(shown).toEqual(['Models', 'Overview', 'Usage', 'Budgets', 'Keys', 'Members', 'Workspaces', 'Settings']);
    await page.goto(`${stage.service.origin}/console/audit`);
    await page.getByText('Your role, viewer, does not include this page.').waitFor();
    await page.goto(`${stage.service.origin}/console/keys`);
    await page.getByRole('heading', { name: 'Keys', exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Create key' }).count()).toBe(0);
  });

  it('invite a person, change the role and remove the person', async () => {
    const owner = await signedIn('olga');
    await owner.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Members', exact: true }).click();
    await owner.getByRole('button', { name: 'Invite a member' }).click();
    await owner.getByRole('dialog').getByRole('button', { name: 'Make the link' }).click();
    const link = owner.getByText(/\/console\/#invitation=/);
    await link.waitFor();
    const url = (await link.textContent())!.trim();
    await owner.getByRole('button', { name: 'Done' }).click();

    const { page: invited } = await open('nils');
    await invited.goto(url);
    await invited.getByText('Sign in to accept it.').waitFor();
    await invited.getByRole('button', { name: 'Sign in with Example Corp' }).click();
    await invited.getByRole('heading', { name: 'Overview', exact: true }).waitFor();
    expect(invited.url()).not.toContain('invitation');

    await owner.reload();
    const row = owner.getByRole('row').filter({ hasText: 'Nils' });
    await row.getByText('developer').waitFor();
    await row.getByRole('button', { name: 'Actions of Nils' }).click();
    await owner.getByRole('menuitem', { name: 'Role of Nils' }).click();
    await owner.getByRole('dialog').getByRole('combobox', { name: 'Role' }).click();
    await owner.getByRole('option', { name: 'billing' }).click();
    await owner.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await row.getByText('billing').waitFor();
    await row.getByRole('button', { name: 'Actions of Nils' }).click();
    await owner.getByRole('menuitem', { name: 'Remove Nils' }).click();
    await owner.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
    await row.waitFor({ state: 'detached' });
  });

  it('become members of a workspace, and its admins', async () => {
    const made = await stage.service.management.post('/workspaces', { json: { name: 'Team A', slug: 'team-a' } });
    expect(made.status).toBe(201);
    await signedIn('dora');
    const owner = await signedIn('olga');
    await owner
      .getByRole('navigation', { name: 'Pages' })
      .getByRole('link', { name: 'Workspaces', exact: true })
      .click();
    await owner.getByRole('button', { name: 'Actions of Team A' }).click();
    await owner.getByRole('menuitem', { name: 'Members of Team A' }).click();
    const list = owner.getByRole('dialog', { name: 'Members of Team A' });
    await list.getByRole('combobox', { name: 'Add members' }).click();
    await owner.getByRole('option', { name: 'Dora' }).click();
    await owner.keyboard.press('Escape');
    await list.getByRole('button', { name: 'Add', exact: true }).click();
    await list.getByRole('button', { name: 'Make admin Dora' }).click();
    await list.getByRole('button', { name: 'Make member Dora' }).waitFor();
  });

  it('see their identity and sessions on the page Settings, and end another session', async () => {
    const first = await signedIn('dora');
    const second = await signedIn('dora');
    await second
      .getByRole('navigation', { name: 'Pages' })
      .getByRole('link', { name: 'Settings', exact: true })
      .click();
    await second.getByRole('table', { name: 'Identities' }).getByText('Dora').waitFor();
    await second.getByRole('button', { name: 'Sign out everywhere else' }).click();
    await second.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere else' }).click();
    await second.getByText('This browser').waitFor();
    await first.goto(`${stage.service.origin}/console/settings`);
    await first.getByRole('button', { name: 'Sign in with Example Corp' }).waitFor();
    // Ignore the refused requests of the page whose session has ended.
    for (const { faults } of pages) faults.errors.splice(0);
  });

  it('approve an application, which gets a code for a key of theirs', async () => {
    const page = await signedIn('dora');
    const callback = `${stage.service.origin}/healthz`;
    const search = new URLSearchParams({
      callback_url: callback.replace('127.0.0.1', 'localhost'),
      code_challenge: CHALLENGE,
      code_challenge_method: 'S256',
      key_label: 'Editor',
      limit: '3',
    });
    await page.goto(`${stage.service.origin}/auth?${search.toString()}`);
    await page.getByRole('cell', { name: 'Editor' }).waitFor();
    await page.route('http://localhost:*/healthz*', (route) => route.fulfill({ body: 'ok' }));
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.waitForURL(/\/healthz\?code=/);
    const code = new URL(page.url()).searchParams.get('code');
    const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
    const exchanged = await stage.service.as(undefined).post('/auth/keys', { json: { code, code_verifier: verifier } });
    expect(exchanged.status).toBe(200);
    expect((await stage.service.as(exchanged.json.key).post('/chat/completions', CHAT)).status).toBe(200);
    for (const { faults } of pages) faults.foreignRequests.splice(0);
  });

  it('see the list of providers and the reason of a refused sign-in on the page Identity', async () => {
    const { page: refused, goto } = await open('nobody');
    provider.users['nobody'] = { name: 'Nobody', groups: [] };
    await goto('/');
    await refused.getByRole('button', { name: 'Sign in with Example Corp' }).click();
    await refused.waitForURL(/callback/);
    const owner = await signedIn('olga');
    await owner.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Identity', exact: true }).click();
    await owner.getByRole('table', { name: 'Example Corp' }).getByText(provider.issuer).waitFor();
    await owner.getByRole('table', { name: 'Refused sign-ins' }).getByText('corp').first().waitFor();
    // Ignore the status and the missing icon of the error page.
    for (const { faults } of pages) faults.errors.splice(0);
  });
});
