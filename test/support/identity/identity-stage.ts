import { OidcBrowser, type PageAnswer } from './oidc-browser.js';
import { ScriptedIssuer } from './scripted-issuer.js';
import { startTestService, type TestService } from '../services/test-service.js';

interface StageOptions {
  /** Variables of the provider `corp`, without `OIDC_CORP_`. */
  readonly provider?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly logTo?: (text: string) => void;
}

export interface SignedIn {
  readonly browser: OidcBrowser;
  readonly answer: PageAnswer;
}

/** A service whose members sign in through a scripted issuer named `corp`. */
export class IdentityStage {
  private constructor(
    readonly issuer: ScriptedIssuer,
    readonly service: TestService,
  ) {}

  static async start({ provider, env, logTo }: StageOptions = {}): Promise<IdentityStage> {
    const issuer = await ScriptedIssuer.start();
    const service = await startTestService({
      env: {
        RATE_LIMIT_SIGN_IN: 'off',
        INTERN_RUNTIME: 'none',
        OIDC_PROVIDERS: 'corp',
        ...issuer.variables('corp', provider),
        ...env,
      },
      logTo,
    });
    return new IdentityStage(issuer, service);
  }

  /** Signs in with these claims. */
  async signIn(claims: Record<string, unknown>, browser = new OidcBrowser()): Promise<SignedIn> {
    this.issuer.token = { claims };
    return { browser, answer: await browser.signInAt(this.issuer, this.service.origin, 'corp') };
  }

  /** The session of a browser; undefined if there is none. */
  async session(
    browser: OidcBrowser,
  ): Promise<{ role: string; user: { id: string; name: string; email: string | null } }> {
    const { text } = await browser.get(`${this.service.origin}/console/session`);
    return (JSON.parse(text) as { data: never }).data;
  }

  /** The reason of the last refusal. */
  async lastReason(): Promise<string | undefined> {
    const [row] = await this.service.sql.query<{ refusal: string }>(
      "select resource_id as refusal from audit_entry where action = 'sign_in_refused' order by id desc limit 1",
    );
    return row?.refusal.split('/')[1];
  }

  async stop(): Promise<void> {
    await this.service.stop();
    await this.issuer.stop();
  }
}
