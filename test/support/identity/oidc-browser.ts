import type { ScriptedIssuer } from './scripted-issuer.js';

export interface PageAnswer {
  readonly status: number;
  readonly location: string | null;
  readonly headers: Headers;
  readonly text: string;
}

/** A browser that follows sign-ins. It stores cookies by origin and name. */
export class OidcBrowser {
  readonly #cookies = new Map<string, Map<string, { value: string; path: string; isStrict: boolean }>>();

  /** A navigation, from the same origin unless `headers` has another `sec-fetch-site`. */
  async get(url: string, headers: Readonly<Record<string, string>> = {}): Promise<PageAnswer> {
    return this.#send(url, 'GET', { 'sec-fetch-site': 'same-origin', ...headers });
  }

  async post(url: string, json: object, headers: Readonly<Record<string, string>> = {}): Promise<PageAnswer> {
    const all = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', ...headers };
    return this.#send(url, 'POST', all, JSON.stringify(json));
  }

  async delete(url: string): Promise<PageAnswer> {
    return this.#send(url, 'DELETE', { 'sec-fetch-site': 'same-origin' });
  }

  /** Signs in at a provider that redirects without a page: returns the response of the callback. */
  async signIn(origin: string, provider: string, returnTo = '/console/keys'): Promise<PageAnswer> {
    const start = `${origin}/console/oidc/${provider}/start?return_to=${encodeURIComponent(returnTo)}`;
    return this.follow(start);
  }

  /** Follows redirects until the callback responds. */
  async follow(url: string): Promise<PageAnswer> {
    let next = url;
    for (let hops = 0; hops < 10; hops += 1) {
      const isCallback = /\/console\/oidc\/[^/]+\/callback/.test(next);
      const answer = await this.get(next, { 'sec-fetch-site': hops === 0 ? 'same-origin' : 'cross-site' });
      if (isCallback || answer.location === null) return answer;
      next = new URL(answer.location, next).href;
    }
    throw new Error('too many redirects');
  }

  /** Signs in at a scripted issuer: returns the response of the callback. */
  async signInAt(issuer: ScriptedIssuer, origin: string, provider: string): Promise<PageAnswer> {
    const { location } = await this.get(`${origin}/console/oidc/${provider}/start`);
    return this.arrive(issuer.approve(location!));
  }

  /** A navigation from the provider's site. */
  arrive(callback: URL | string): Promise<PageAnswer> {
    return this.get(String(callback), { 'sec-fetch-site': 'cross-site' });
  }

  /** The value of a cookie; undefined if there is none. */
  cookie(origin: string, name: string): string | undefined {
    return this.#jar(origin).get(name)?.value;
  }

  names(origin: string): string[] {
    return [...this.#jar(origin).keys()];
  }

  set(origin: string, name: string, value: string, path = '/console'): void {
    this.#jar(origin).set(name, { value, path, isStrict: false });
  }

  #jar(url: string): Map<string, { value: string; path: string; isStrict: boolean }> {
    const { origin } = new URL(url);
    return this.#cookies.get(origin) ?? this.#cookies.set(origin, new Map()).get(origin)!;
  }

  async #send(
    url: string,
    method: string,
    headers: Readonly<Record<string, string>>,
    body?: string,
  ): Promise<PageAnswer> {
    const jar = this.#jar(url);
    const { pathname } = new URL(url);
    const isCrossSite = headers['sec-fetch-site'] === 'cross-site';
    const sent = [...jar].filter(([, { path, isStrict }]) => pathname.startsWith(path) && !(isStrict && isCrossSite));
    const cookie = sent.map(([name, { value }]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, {
      method,
      redirect: 'manual',
      body,
      headers: { ...headers, ...(cookie === '' ? {} : { cookie }) },
    });
    for (const line of response.headers.getSetCookie()) keep(jar, line);
    return {
      status: response.status,
      location: response.headers.get('location'),
      headers: response.headers,
      text: await response.text(),
    };
  }
}

function keep(jar: Map<string, { value: string; path: string; isStrict: boolean }>, line: string): void {
  const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line)!;
  const path = /path=([^;]*)/i.exec(line)?.[1] ?? '/';
  if (/max-age=0(;|$)/i.test(line) || value === '') jar.delete(name);
  else jar.set(name, { value, path, isStrict: /samesite=strict/i.test(line) });
}
