import type { JWTPayload } from 'jose';
import type { ApiAnswer } from '../api/api-client.js';
import { SetClock, startTestService, type TestService } from '../services/test-service.js';
import { ScriptedIssuer } from './scripted-issuer.js';
import { exchangeToken, makePolicy } from './workload.js';

const SECOND_MS = 1_000;

/** A service, and for each test an issuer with a policy. The clock advances only when a test sets it. */
export class FederationStage {
  readonly clock = new SetClock(new Date());
  service!: TestService;
  issuer!: ScriptedIssuer;
  policy!: { readonly id: string; readonly keyHash: string };
  logged = '';

  static async start(): Promise<FederationStage> {
    const stage = new FederationStage();
    const off = { RATE_LIMIT_SIGN_IN: 'off', RATE_LIMIT_FAILED_KEYS: 'off' };
    const env = { ...off, FEDERATION_PRIVATE_ISSUERS: '127.0.0.1', LOG_LEVEL: 'debug' };
    const logTo = (text: string): void => void (stage.logged += text);
    stage.service = await startTestService({ clock: stage.clock, env, logTo });
    return stage;
  }

  async prepare(): Promise<void> {
    this.clock.set(new Date(Math.floor(Date.now() / SECOND_MS) * SECOND_MS));
    this.issuer = await ScriptedIssuer.start(() => this.clock.now().getTime());
    this.policy = await makePolicy(this.service, this.issuer);
  }

  /** The time of the clock in seconds. */
  nowS(): number {
    return Math.floor(this.clock.now().getTime() / SECOND_MS);
  }

  later(ms: number): void {
    this.clock.set(new Date(this.clock.now().getTime() + ms));
  }

  exchange(token: string, parameters: Record<string, string> = {}, id = this.policy.id): Promise<ApiAnswer> {
    return exchangeToken(this.service, id, token, parameters);
  }

  async accessToken(claims: JWTPayload = {}): Promise<string> {
    const given = await this.exchange(await this.issuer.token(claims));
    expect([given.status, given.json.error_description]).toEqual([200, undefined]);
    return given.json.access_token as string;
  }

  /** Expects that the token is refused, and returns the reason. */
  async refused(token: string, error = 'invalid_grant', status = 400): Promise<string> {
    const answer = await this.exchange(token);
    expect([answer.status, answer.json.error]).toEqual([status, error]);
    return answer.json.error_description as string;
  }

  async stop(): Promise<void> {
    await this.service.stop();
  }
}
