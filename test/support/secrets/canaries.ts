import { randomBytes } from 'node:crypto';
import { type OpenApiDocument, resolved, type Schema } from '../api/openapi-document.js';

/**
 * Marks every secret of one test: an output that contains it leaks. Found as text, hex (bytea in a dump) and base64.
 */
export const MARK = 'CanaryInTheGateway';

/** A unique secret in a vendor's format. */
export const canary = (): string => `sk-${MARK}-${randomBytes(16).toString('hex')}`;

let turn = 0;
/** Every second one has no recognisable format, so that no redactor finds it. */
const anyCanary = (): string => (turn++ % 2 === 0 ? canary() : `${MARK}${randomBytes(8).toString('hex')}`);

const asHex = Buffer.from(MARK).toString('hex');
/** The three ways in which base64 can cut the mark, without the letters that depend on what is beside it. */
const asBase64 = [0, 1, 2].map((shift) =>
  Buffer.concat([Buffer.alloc(shift), Buffer.from(MARK)])
    .toString('base64')
    .slice(shift === 0 ? 0 : shift + 1, 20),
);

/** Whether a text holds the mark in any of these forms. */
export const sings = (text: string): boolean =>
  text.includes(MARK) || text.toLowerCase().includes(asHex) || asBase64.some((form) => text.includes(form));

/**
 * A body with a canary in the place of every value that the schema names, whatever its type, and one more that it does
 * not.
 */
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

/**
 * The example with a canary in every field that the schema says is write-only: the secrets that a caller means to hand
 * over.
 */
export function withSecrets(document: OpenApiDocument, schema: Schema | undefined, example: unknown): unknown {
  const { properties = {} } = resolved(document, schema ?? {}) as {
    properties?: Record<string, { writeOnly?: boolean }>;
  };
  const secrets = Object.keys(example as object).filter((name) => properties[name]?.writeOnly);
  return { ...(example as object), ...Object.fromEntries(secrets.map((name) => [name, canary()])) };
}

/** Every header that may carry something secret, or that the service looks at. */
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
