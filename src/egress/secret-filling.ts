import { Injectable } from '@nestjs/common';
import type { IncomingHttpHeaders } from 'node:http';
import { EffectiveSecrets } from '../vaults/effective-secrets.js';
import { filledIn, namesIn } from './placeholder.js';
import { EgressRefusal } from './proxy.errors.js';

export interface Fillable {
  /** Path and query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
}

export interface Filled extends Fillable {
  /** The values that were put in, and credentials made of them, to be kept out of the answer. */
  readonly values: readonly string[];
}

const BASIC = /^Basic\s+([A-Za-z0-9+/=]+)\s*$/i;
/** What a header can carry; anything else could end it and begin another. */
const HEADER_SAFE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Puts secrets in the place of their placeholders, in header values, basic credentials, path and query; never in a body. */
@Injectable()
export class SecretFilling {
  constructor(private readonly secrets: EffectiveSecrets) {}

  /** Only for a request that is bound for `host` over TLS. Refuses it as a whole where one secret is not to be had. */
  async fill(internId: string, host: string, request: Fillable): Promise<Filled> {
    const names = namesIn([request.path, ...textsOf(request.headers)].join('\n'));
    if (names.length === 0) return { ...request, values: [] };
    const values = new Map<string, string>();
    for (const name of names) values.set(name, await this.#release(internId, name, host));
    const valueOf = (name: string): string => values.get(name)!;
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, filledHeader(name, value, valueOf)]),
    );
    const credentials = BASIC.exec(request.headers.authorization ?? '')
      ? BASIC.exec(headers.authorization as string)![1]!.replace(/=+$/, '')
      : undefined;
    return {
      path: filledIn(request.path, (name) => encodeURIComponent(valueOf(name))),
      headers,
      values: [...values.values(), ...(credentials === undefined ? [] : [credentials])],
    };
  }

  async #release(internId: string, name: string, host: string): Promise<string> {
    const release = await this.secrets.release(internId, name, host);
    if (!('value' in release)) {
      throw new EgressRefusal(
        403,
        release.refused === 'unknown'
          ? `This intern has no secret named ${name}`
          : `The secret ${name} is not bound to the host ${host}`,
      );
    }
    return release.value.reveal();
  }
}

function filledHeader(
  name: string,
  value: string | string[] | undefined,
  valueOf: (name: string) => string,
): string | string[] | undefined {
  if (Array.isArray(value)) return value.map((one) => filledHeader(name, one, valueOf) as string);
  if (value === undefined) return undefined;
  const credentials = decodedBasic(name, value);
  const filled =
    credentials === undefined
      ? filledIn(value, valueOf)
      : `Basic ${Buffer.from(filledIn(credentials, valueOf), 'utf8').toString('base64')}`;
  if (!HEADER_SAFE.test(filled))
    throw new EgressRefusal(403, `A secret in the header ${name} has characters that no header can carry`);
  return filled;
}

/** The credentials of a Basic Authorization header that ask for a secret. */
function decodedBasic(name: string, value: string): string | undefined {
  const encoded = name === 'authorization' ? BASIC.exec(value)?.[1] : undefined;
  const decoded = encoded === undefined ? undefined : Buffer.from(encoded, 'base64').toString('utf8');
  return decoded !== undefined && namesIn(decoded).length > 0 ? decoded : undefined;
}

const textsOf = (headers: IncomingHttpHeaders): string[] =>
  Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((text) => decodedBasic(name, text) ?? text),
  );
