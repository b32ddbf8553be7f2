import type { MemberId } from '../../../src/auth/member-keys.js';
import { ConsoleCodes } from '../../../src/sessions/console-codes.js';
import type { TestService } from '../services/test-service.js';

export interface ConsoleAnswer {
  readonly status: number;
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly json: any;
  readonly headers: Headers;
}

interface Sent {
  readonly json?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A browser with an open page of the console: it keeps the cookie, and its requests have the same origin. */
export class ConsoleBrowser {
  cookie: string | undefined;

  constructor(
    readonly origin: string,
    private readonly headers: Readonly<Record<string, string>> = { 'sec-fetch-site': 'same-origin' },
  ) {}

  signIn(how: { code: string } | { key: string }): Promise<ConsoleAnswer> {
    return this.send('POST', '/console/session', { json: how });
  }

  get(path: string): Promise<ConsoleAnswer> {
    return this.send('GET', `/console/api/v1${path}`);
  }

  post(path: string, json: object): Promise<ConsoleAnswer> {
    return this.send('POST', `/console/api/v1${path}`, { json });
  }

  async send(method: string, path: string, { json, headers = {} }: Sent = {}): Promise<ConsoleAnswer> {
    const response = await fetch(this.origin + path, {
      method,
      headers: {
        ...this.headers,
        ...(this.cookie === undefined ? {} : { cookie: this.cookie }),
        ...(json ? { 'content-type': 'application/json' } : {}),
        ...headers,
      },
      body: json && JSON.stringify(json),
      redirect: 'manual',
    });
    const set = response.headers.get('set-cookie');
    if (set !== null) this.cookie = /Max-Age=0;/.test(set) ? undefined : set.split(';')[0];
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
    return { status: response.status, json: isJson ? JSON.parse(text) : undefined, headers: response.headers };
  }
}

/** The owner of the first account. */
export async function firstOwner({ sql }: TestService): Promise<MemberId> {
  const [owner] = await sql.query<MemberId>(
    'select account_id as "accountId", user_id as "userId" from member order by created_at limit 1',
  );
  return owner!;
}

/** A one-time code for a member. */
export async function codeFor(service: TestService, owner: MemberId): Promise<string> {
  const codes = service.app.get(ConsoleCodes, { strict: false });
  return (await codes.link(service.origin, owner, 'operator')).url.split('#code=')[1]!;
}

/** A one-time code for the owner of the first account. */
export const newCode = async (service: TestService): Promise<string> => codeFor(service, await firstOwner(service));

/** A browser signed in as a member. */
export async function signedInAs(service: TestService, member: MemberId): Promise<ConsoleBrowser> {
  const browser = new ConsoleBrowser(service.origin);
  await browser.signIn({ code: await codeFor(service, member) });
  return browser;
}

/** A browser signed in as the owner of the first account. */
export const signedIn = async (service: TestService): Promise<ConsoleBrowser> =>
  signedInAs(service, await firstOwner(service));
