import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, getSchemaPath, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import type { NextFunction, Request, Response } from 'express';
import { DOCUMENT_PATH, DOCUMENTATION_PATH } from '../edge/configure-server.js';
import { envelopeOf, ErrorEnvelope } from '../errors/error-envelope.js';
import { audioPlayer } from './audio-player.js';
import { cachedOpenApi } from './cached-openapi.js';
import { withClosedObjects } from '../validation/closed-object.decorator.js';
import { ACCESS_EXTENSION, type AccessClass } from '../../kernel/access/access-matrix.js';
import { PERMISSION_EXTENSION, type Permission } from '../../kernel/access/permissions.js';
import { isRefusedToSome, keyClassesOf, rolesOf } from './key-classes.js';
import { SESSION_COOKIE, SESSION_SCHEME } from '../../kernel/console-request.js';
import { STATUS } from '../../kernel/errors/error-status.js';
import { withRequestExamples } from './request-examples.decorator.js';
import { withResponseExamples } from './response-example.decorator.js';
import { MEANING } from '../errors/status-meanings.js';

/** The format of generated keys. A key set at bootstrap may have another format. */
const BEARER_FORMAT = 'sk-gh-v1-<64 hexadecimal characters>';

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']> & {
  readonly [ACCESS_EXTENSION]?: AccessClass;
  readonly [PERMISSION_EXTENSION]?: Permission;
};

const operationsOf = ({ paths }: OpenAPIObject): Operation[] =>
  Object.values(paths).flatMap((item) => Object.values(item) as Operation[]);

const COOKIE_ALONE = '**Key:** none. The cookie of the session decides, and `Authorization` is ignored.';

/** A response with the error envelope. */
const failure = (kind: 'deadline_exceeded' | 'forbidden'): NonNullable<Operation['responses'][string]> => ({
  description: MEANING[kind],
  content: {
    'application/json': {
      schema: { $ref: getSchemaPath(ErrorEnvelope) },
      example: envelopeOf(STATUS[kind], MEANING[kind]),
    },
  },
});

/** The OpenAPI 3.1 document, generated from the code. */
export function buildOpenApi(app: INestApplication, baseUrl: string): OpenAPIObject {
  const config = new DocumentBuilder()
    .setTitle('Gatehouse')
    .setDescription('A self-hosted AI gateway with accounts: one HTTP API in front of many model vendors.')
    .setVersion('1.0.0')
    .setOpenAPIVersion('3.1.0')
    .addServer(baseUrl)
    .addBearerAuth({ type: 'http', scheme: 'bearer', bearerFormat: BEARER_FORMAT, description: 'An API key' }, 'bearer')
    .addCookieAuth(
      SESSION_COOKIE,
      { type: 'apiKey', in: 'cookie', description: 'The cookie of a session of the console' },
      SESSION_SCHEME,
    )
    .build();
  const document = SwaggerModule.createDocument(app, config);
  return withRequestExamples(
    withResponseExamples(
      withKeyClasses(withRefusalHeaders(withSlowBodies(withDescribedDefaults(withClosedObjects(document))))),
    ),
  );
}

/** Adds 408 to every route that reads a body, because the body may arrive too slowly. */
function withSlowBodies(document: OpenAPIObject): OpenAPIObject {
  for (const { requestBody, responses } of operationsOf(document))
    if (requestBody) responses[STATUS.deadline_exceeded] ??= failure('deadline_exceeded');
  return document;
}

interface ObjectSchema {
  readonly required?: readonly string[];
  readonly properties?: Record<string, { default?: unknown; description?: string }>;
}

/**
 * Moves the defaults of optional members into their descriptions, because type generators treat a member with `default`
 * as always present (docs/clients.md).
 */
function withDescribedDefaults(document: OpenAPIObject): OpenAPIObject {
  for (const { properties = {}, required = [] } of Object.values(
    (document.components?.schemas ?? {}) as Record<string, ObjectSchema>,
  ))
    for (const [name, member] of Object.entries(properties)) {
      if (member.default === undefined || required.includes(name)) continue;
      const text = `Default: \`${JSON.stringify(member.default)}\`.`;
      member.description = member.description ? `${member.description} ${text}` : text;
      delete member.default;
    }
  return document;
}

const header = (description: string, type: 'integer' | 'string' = 'integer'): object => ({
  description,
  schema: { type },
});

/** Headers of refusals, by status. */
const REFUSAL_HEADERS: Readonly<Record<number, Record<string, object>>> = {
  [STATUS.unauthenticated]: { 'x-should-retry': header('`false`: the same key is refused again', 'string') },
  [STATUS.rate_limited]: {
    'Retry-After': header('Seconds until another request is accepted, or a date if the provider sent one', 'string'),
    'X-RateLimit-Limit': header("The maximum number of requests in the window of this service's own limit"),
    'X-RateLimit-Remaining': header('The remaining number of requests in the window'),
    'X-RateLimit-Reset': header('The end of the window, as Unix time in milliseconds'),
    'X-RateLimit-Limit-Tokens': header('The maximum number of tokens in the window of a token limit'),
    'X-RateLimit-Remaining-Tokens': header('The remaining number of tokens in the window'),
    'X-RateLimit-Reset-Tokens': header('The end of the window, as Unix time in milliseconds'),
  },
};

/** Describes the headers of 401 and 429 on every operation. */
function withRefusalHeaders(document: OpenAPIObject): OpenAPIObject {
  for (const { responses } of operationsOf(document))
    for (const [status, headers] of Object.entries(REFUSAL_HEADERS)) {
      const response = responses[status];
      if (response && !('$ref' in response)) Object.assign((response.headers ??= {}), headers);
    }
  return document;
}

/**
 * Adds to each description the classes of keys and the roles that may call the operation, and adds the 403 response.
 */
function withKeyClasses(document: OpenAPIObject): OpenAPIObject {
  for (const operation of operationsOf(document)) {
    const { [ACCESS_EXTENSION]: accessClass, [PERMISSION_EXTENSION]: permission } = operation;
    if (accessClass === undefined) continue;
    const isOfSession = operation.security?.some((scheme) => SESSION_SCHEME in scheme) ?? false;
    if (isOfSession) operation.security = [{ [SESSION_SCHEME]: [] }];
    const keys = isOfSession ? COOKIE_ALONE : keyClassesOf(accessClass);
    const roles = permission && rolesOf(permission);
    operation.description = [operation.description, keys, roles].filter((text) => text !== undefined).join('\n\n');
    if (permission && isRefusedToSome(permission)) operation.responses[STATUS.forbidden] ??= failure('forbidden');
  }
  return document;
}

/**
 * Swagger UI needs its own scripts and styles, inline styles, images in data URLs, and received audio and images as
 * blobs. Framing is forbidden, because the page keeps the API key that its user entered.
 */
const DOCUMENTATION_HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; " +
    "media-src blob:; connect-src 'self'; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

/** The document with the URL of this service. */
function withServer(json: string, url: string): string {
  return url === '/' ? json : JSON.stringify({ ...(JSON.parse(json) as OpenAPIObject), servers: [{ url }] });
}

/**
 * The document for the page, without the cookie of a session. Scripts can neither read nor set this cookie, so a field
 * for it would have no effect.
 */
function withoutSessions(document: OpenAPIObject): OpenAPIObject {
  const { [SESSION_SCHEME]: _cookie, ...securitySchemes } = document.components?.securitySchemes ?? {};
  return { ...document, components: { ...document.components, securitySchemes } };
}

/**
 * The text of the document. All services in a process, such as a process of tests, share it, because it depends only on
 * the code.
 */
let made: string | undefined;

/** Serves the Swagger UI at /docs and the document at /api/v1/openapi.json, both public. */
export function serveOpenApi(app: INestApplication, baseUrl: string): void {
  const json = withServer(
    cachedOpenApi(() => (made ??= JSON.stringify(buildOpenApi(app, '/')))),
    baseUrl,
  );
  app.use(DOCUMENTATION_PATH, (_request: Request, response: Response, next: NextFunction) => {
    response.set(DOCUMENTATION_HEADERS);
    next();
  });
  // Without `validatorUrl: null` the page would send the URL of the document to a public service.
  const swaggerOptions = {
    persistAuthorization: true,
    tryItOutEnabled: true,
    validatorUrl: null,
    plugins: [audioPlayer],
  };
  SwaggerModule.setup(DOCUMENTATION_PATH, app, () => withoutSessions(JSON.parse(json) as OpenAPIObject), {
    raw: false,
    customSiteTitle: 'Gatehouse API',
    swaggerOptions,
  });
  app
    .getHttpAdapter()
    .get(DOCUMENT_PATH, (_request: Request, response: Response) => response.type('application/json').send(json));
}
