import { randomBytes } from 'node:crypto';
import { type OpenApiDocument, resolved, type Schema } from '../api/openapi-document.js';

/**
 * A mark in every secret of one test: an output that contains it leaks a secret. Detected as text, hex (bytea in a
 * dump) and base64.
 */
export const MARK = 'CanaryInTheGateway';

/** A unique secret in the format of a vendor. */
export const canary = (): string => `sk-${MARK}-${randomBytes(16).toString('hex')}`;

let turn = 0;
/** Every second secret has no recognisable format, so that no redactor can detect it by its format. */
const anyCanary = (): string => (turn++ % 2 === 0 ? canary() : `${MARK}${randomBytes(8).toString('hex')}`);

const asHex = Buffer.from(MARK).toString('hex');
/** The three alignments of the mark in base64, without the letters that depend on neighbouring bytes. */
const asBase64 = [0, 1, 2].map((shift) =>
  Buffer.concat([Buffer.alloc(shift), Buffer.from(MARK)])
    .toString('base64')
    .slice(shift === 0 ? 0 : shift + 1, 20),
);

/** Whether a text contains the mark in any of these forms. */
export const containsCanary = (text: string): boolean =>
  text.includes(MARK) || text.toLowerCase().includes(asHex) || asBase64.some((form) => text.includes(form));

/** A body with a canary as the value of every member in the schema, whatever its type, and one additional member. */
export function bodyOfCanaries(document: OpenApiDocument, schema: Schema | undefined, depth = 0): unknown {
  const { properties, items, allOf, oneOf, anyOf } = resolved(document, schema ?? {}) as {
    properties?: Record<string, Schema>;
    items?: Schema;
    allOf?: Schema[];
    oneOf?: Schema[];
    anyOf?: Schema[];
  };
  const [only] = allOf ?? oneOf ?? anyOf ?? [];
  if (only && !properties) return bodyOfCanaries(document, only, depth);
  if (items) return [bodyOfCanaries(document, items, depth + 1)];
  if (!properties && depth > 0) return anyCanary();
  const fields = Object.entries(properties ?? {}).map(([name, property]) => [
    name,
    depth > 4 ? anyCanary() : bodyOfCanaries(document, property, depth + 1),
  ]);
  return { ...Object.fromEntries(fields), ...(depth === 0 ? { [canary()]: anyCanary() } : {}) };
}

/** The example with a canary in every write-only field: the secrets that a caller sends deliberately. */
export function withSecrets(document: OpenApiDocument, schema: Schema | undefined, example: unknown): unknown {
  const { properties = {} } = resolved(document, schema ?? {}) as {
    properties?: Record<string, { writeOnly?: boolean }>;
  };
  const secrets = Object.keys(example as object).filter((name) => properties[name]?.writeOnly);
  return { ...(example as object), ...Object.fromEntries(secrets.map((name) => [name, canary()])) };
}

/** Every header that may contain a secret, or that the service reads. */
export const headersOfCanaries = (): Record<string, string> => {
  const names = [
    'cookie',
    'proxy-authorization',
    'x-api-key',
    'api-key',
    'x-request-id',
    'x-forwarded-for',
    'x-forwarded-host',
    'user-agent',
    'referer',
    'http-referer',
    'origin',
    'x-title',
    'accept-language',
    'idempotency-key',
    'if-none-match',
    'x-anything',
  ];
  return Object.fromEntries(
    names.map((name) => [
      name,
      name === 'cookie'
        ? `session=${canary()}`
        : name.endsWith('referer')
          ? `https://page.example/?token=${canary()}`
          : name === 'proxy-authorization'
            ? `Basic ${canary()}`
            : canary(),
    ]),
  );
};
