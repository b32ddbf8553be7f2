import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT, type CryptoKey, type JWK } from 'jose';
import { TEST_CLIENT, variablesOf } from './identity-provider.js';

type Claims = Record<string, unknown>;

/** The content of one ID token. */
export interface TokenScript {
  /** Changes to the valid claims; undefined removes a claim. */
  readonly claims?: Claims;
  readonly sign?: 'properly' | 'foreign key' | 'foreign kid' | 'none' | 'HS256 with the secret' | 'HS256 with the key';
}

/** An issuer with three routes whose responses a test can script. */
export class ScriptedIssuer {
  /** The changes to each ID token. */
  token: TokenScript = {};
  /** Changes to the metadata; undefined removes a member. */
  metadata: Claims = {};
  /** Handles a request instead of the route; false = the route handles it. */
  answer: ((path: string, response: ServerResponse) => boolean) | undefined;
  /** The codes that were sent to the token route. */
  readonly codes: string[] = [];
  /** The Referer and Cookie headers of every request. */
  readonly headers: string[] = [];
  readonly tokens: string[] = [];
  #nonces = new Map<string, string>();

  private constructor(
    readonly issuer: string,
    private readonly server: Server,
    private readonly keys: { readonly own: CryptoKey; readonly foreign: CryptoKey; readonly jwk: JWK },
  ) {}

  /** `path`: the path of the issuer, such as `/a`. */
  static async start(path = ''): Promise<ScriptedIssuer> {
    const own = await generateKeyPair('RS256');
    const foreign = await generateKeyPair('RS256');
    const jwk = { ...(await exportJWK(own.publicKey)), kid: 'one', alg: 'RS256', use: 'sig' };
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const self = new ScriptedIssuer(origin + path, server, { own: own.privateKey, foreign: foreign.privateKey, jwk });
    server.on('request', (request, response) => void self.#serve(request, response));
    return self;
  }

  variables(name: string, more: Readonly<Record<string, string>> = {}): Record<string, string> {
    return variablesOf(name, this.issuer, more);
  }

  /** Acts as the provider's page: returns the callback for an authorization URL, with a new code. */
  approve(authorizationUrl: string, more: Readonly<Record<string, string | undefined>> = {}): URL {
    const { searchParams } = new URL(authorizationUrl);
    const code = `code-${crypto.randomUUID()}`;
    this.#nonces.set(code, searchParams.get('nonce')!);
    const callback = new URL(searchParams.get('redirect_uri')!);
    const sent = { code, state: searchParams.get('state')!, iss: this.issuer, ...more };
    for (const [name, value] of Object.entries(sent)) if (value !== undefined) callback.searchParams.set(name, value);
    return callback;
  }

  async logoutToken(claims: Claims = {}, sign: 'own' | 'foreign' = 'own'): Promise<string> {
    const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
    const now = Math.floor(Date.now() / 1_000);
    const all = { iss: this.issuer, aud: TEST_CLIENT.id, iat: now, jti: crypto.randomUUID(), events, ...claims };
    return new SignJWT(JSON.parse(JSON.stringify(all)) as Claims)
      .setProtectedHeader({ alg: 'RS256', kid: 'one', typ: 'logout+jwt' })
      .sign(this.keys[sign]);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url!.slice(new URL(this.issuer).pathname.replace(/\/$/, '').length);
    this.headers.push(`${request.headers.referer ?? ''} ${request.headers.cookie ?? ''}`);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (this.answer?.(path, response)) return;
    if (path === '/.well-known/openid-configuration') return send(response, this.#metadata());
    if (path === '/jwks') return send(response, { keys: [this.keys.jwk] });
    if (path === '/token') return send(response, await this.#exchange(Buffer.concat(chunks).toString()));
    send(response, { error: 'not_found' }, 404);
  }

  #metadata(): Claims {
    const base = this.issuer.replace(/\/$/, '');
    return {
      issuer: this.issuer,
      authorization_endpoint: `${base}/authorize`,
      token_endpoint: `${base}/token`,
      jwks_uri: `${base}/jwks`,
      id_token_signing_alg_values_supported: ['RS256'],
      authorization_response_iss_parameter_supported: true,
      ...this.metadata,
    };
  }

  async #exchange(body: string): Promise<Claims> {
    const code = new URLSearchParams(body).get('code')!;
    this.codes.push(code);
    const id_token = await this.#idToken(this.#nonces.get(code) ?? 'none');
    this.tokens.push(id_token);
    return { access_token: 'access', token_type: 'Bearer', expires_in: 60, id_token };
  }

  async #idToken(nonce: string): Promise<string> {
    const now = Math.floor(Date.now() / 1_000);
    const usual = { iss: this.issuer, aud: TEST_CLIENT.id, sub: 'someone', iat: now, exp: now + 300, nonce };
    const claims = JSON.parse(JSON.stringify({ ...usual, ...this.token.claims })) as Claims;
    const { sign = 'properly' } = this.token;
    const jwt = new SignJWT(claims);
    if (sign === 'none') return new UnsecuredJWT(claims).encode();
    if (sign === 'HS256 with the secret' || sign === 'HS256 with the key') {
      const secret = sign === 'HS256 with the key' ? JSON.stringify(this.keys.jwk) : TEST_CLIENT.secret;
      return jwt.setProtectedHeader({ alg: 'HS256', kid: 'one' }).sign(new TextEncoder().encode(secret));
    }
    const kid = sign === 'foreign kid' ? 'two' : 'one';
    const key = sign === 'foreign key' ? this.keys.foreign : this.keys.own;
    return jwt.setProtectedHeader({ alg: 'RS256', kid }).sign(key);
  }
}

function send(response: ServerResponse, body: object, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
