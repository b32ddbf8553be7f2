import { exportJWK, generateKeyPair, SignJWT, type JWK, type JWTPayload } from 'jose';
import { randomUUID, type webcrypto } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export const SUBJECT = 'repo:acme/shop:ref:refs/heads/main';
export const AUDIENCE = 'https://gatehouse.example.com';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** An issuer of workload tokens on a loopback port. A test can script invalid responses. */
export class ScriptedIssuer {
  /** The number of requests by path. */
  readonly requests = new Map<string, number>();
  /** Replaces the response of a path. */
  readonly scripted = new Map<string, Handler>();
  /** The keys that /jwks returns. */
  keys: JWK[] = [];
  url = '';
  #key: webcrypto.CryptoKey | undefined;
  readonly #server = createServer((request, response) => this.#respond(request, response));

  /** `now`: the time for issued tokens, in milliseconds. */
  private constructor(private readonly now: () => number) {}

  static async start(now: () => number = Date.now): Promise<ScriptedIssuer> {
    const issuer = new ScriptedIssuer(now);
    await new Promise<void>((listening) => issuer.#server.listen(0, '127.0.0.1', listening));
    issuer.url = `http://127.0.0.1:${(issuer.#server.address() as AddressInfo).port}`;
    const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true });
    issuer.#key = privateKey;
    issuer.keys = [{ ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }];
    return issuer;
  }

  /** Issues a token of the subject for the audience, valid for ten minutes. */
  async token(
    claims: JWTPayload = {},
    header: Record<string, unknown> = {},
    key: webcrypto.CryptoKey | Uint8Array = this.#key!,
  ): Promise<string> {
    const now = Math.floor(this.now() / 1_000);
    const all = { iss: this.url, sub: SUBJECT, aud: AUDIENCE, iat: now, exp: now + 600, jti: randomUUID(), ...claims };
    return new SignJWT(all).setProtectedHeader({ alg: 'RS256', kid: 'one', ...header }).sign(key);
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((closed) => this.#server.close(closed));
  }

  #respond(request: IncomingMessage, response: ServerResponse): void {
    const path = request.url!;
    this.requests.set(path, (this.requests.get(path) ?? 0) + 1);
    const scripted = this.scripted.get(path);
    if (scripted) return scripted(request, response);
    const documents: Record<string, object> = {
      '/.well-known/openid-configuration': { issuer: this.url, jwks_uri: `${this.url}/jwks` },
      '/jwks': { keys: this.keys },
    };
    const document = documents[path];
    response.writeHead(document ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(document ?? {}));
  }
}
