import { Injectable } from '@nestjs/common';
import type { IncomingHttpHeaders } from 'node:http';
import { isHeaderText } from '../kernel/text/header-text.js';
import { EffectiveSecrets } from '../vaults/effective-secrets.js';
import { EGRESS_RELEASES } from './egress-cells.js';
import { filledIn, namesIn } from './placeholder.js';
import { EgressRefusal } from './proxy.errors.js';

interface Fillable {
  /** Path and query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
}

export interface Filled extends Fillable {
  /** Whether a secret was filled in. */
  readonly holdsSecret: boolean;
}

const BASIC = /^Basic\s+([A-Za-z0-9+/=]+)\s*$/i;

/** Replaces placeholders by secrets in header values, basic credentials, path and query; never in a body. */
@Injectable()
export class SecretFilling {
  constructor(private readonly secrets: EffectiveSecrets) {}

  /**
   * Fills the secrets into a request, which must go to `host` over TLS. Throws an EgressRefusal if a secret is not
   * available, or has characters that a header must not contain.
   */
  async fill(internId: string, host: string, request: Fillable): Promise<Filled> {
    const names = namesIn([request.path, ...textsOf(request.headers)].join('\n'));
    if (names.length === 0) return { ...request, holdsSecret: false };
    const values = new Map<string, string>();
    for (const name of names) values.set(name, await this.#release(internId, name, host));
    const valueOf = (name: string): string => values.get(name)!;
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, filledHeader(name, value, valueOf)]),
    );
    return { path: filledIn(request.path, (name) => encodeURIComponent(valueOf(name))), headers, holdsSecret: true };
  }

  async #release(internId: string, name: string, host: string): Promise<string> {
    const release = await this.secrets.release(internId, name, host);
    EGRESS_RELEASES.count('value' in release ? 'released' : release.refused === 'unknown' ? 'unknown' : 'unbound');
    if (!('value' in release)) {
      throw new EgressRefusal(
        403,
        release.refused === 'unknown'
          ? `This intern has no secret named ${name}`
          : `The secret ${name} is not bound to the host ${host}`,
        { kind: 'egress_secret', name: `${name}@${host}` },
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
  if (!isHeaderText(filled))
    throw new EgressRefusal(403, `A secret in the header ${name} has characters that are not allowed in a header`);
  return filled;
}

/** The decoded credentials of a Basic Authorization header if they contain a placeholder. */
function decodedBasic(name: string, value: string): string | undefined {
  const encoded = name === 'authorization' ? BASIC.exec(value)?.[1] : undefined;
  const decoded = encoded === undefined ? undefined : Buffer.from(encoded, 'base64').toString('utf8');
  return decoded !== undefined && namesIn(decoded).length > 0 ? decoded : undefined;
}

const textsOf = (headers: IncomingHttpHeaders): string[] =>
  Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((text) => decodedBasic(name, text) ?? text),
  );
