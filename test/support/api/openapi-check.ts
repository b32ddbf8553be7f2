import addFormats from 'ajv-formats';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { closeSchemas } from './closed-schemas.js';
import {
  type DocumentedResponse,
  type DocumentedRoute,
  escapePointer,
  type MediaType,
  type OpenApiDocument,
  resolved,
  routesOf,
} from './openapi-document.js';

const DOCUMENT = 'openapi.json';

/**
 * A response that the OpenAPI document does not allow. The message contains the response and the documented
 * alternatives.
 */
export class UndocumentedAnswer extends Error {
  override name = 'UndocumentedAnswer';
}

/** Cached by the text of the document, because compiling the schemas takes longer than the calls of a test file. */
const compiled = new Map<string, OpenApiCheck>();
const MAX_COMPILED = 4;

/**
 * Checks responses against the OpenAPI document: status, content type, required headers, and the body, in which
 * undocumented members are not allowed.
 */
export class OpenApiCheck {
  readonly #document: OpenApiDocument;
  readonly #routes: readonly Route[];
  // The optimisation of compiled schemas is off, because it takes more time than it saves.
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: true, code: { optimize: false } });
  readonly #compiled = new Map<string, ValidateFunction>();

  constructor(document: OpenApiDocument) {
    this.#document = closeSchemas(document);
    this.#routes = routesOf(document)
      .map(compileRoute)
      .toSorted((a, b) => a.parameters - b.parameters);
    addFormats.default(this.#ajv);
    this.#ajv.addSchema(this.#document, DOCUMENT);
  }

  /** Fetches the document of a running service. `origin`: for example http://127.0.0.1:3000. */
  static async of(origin: string): Promise<OpenApiCheck> {
    const answer = await fetch(new URL('/api/v1/openapi.json', origin));
    if (answer.status !== 200) throw new Error(`GET /api/v1/openapi.json returned ${answer.status}`);
    const text = await answer.text();
    let check = compiled.get(text);
    if (!check) {
      if (compiled.size === MAX_COMPILED) compiled.clear();
      check = new OpenApiCheck(JSON.parse(text) as OpenApiDocument);
      compiled.set(text, check);
    }
    return check;
  }

  /** Every route of the document. */
  get routes(): readonly DocumentedRoute[] {
    return this.#routes;
  }

  /** Throws UndocumentedAnswer. `path` may include a query. A 404 or 405 without a documented route is allowed. */
  expectDocumented(method: string, path: string, status: number, headers: Headers, body: Uint8Array): void {
    const at = `${method.toUpperCase()} ${path} returned ${status}`;
    const route = this.routeOf(method, path);
    if (!route) {
      if (status === 404 || status === 405) return;
      throw new UndocumentedAnswer(`${at}, but the document has no such route`);
    }
    const key = [String(status), `${Math.floor(status / 100)}XX`, 'default'].find(
      (candidate) => candidate in route.operation.responses,
    );
    if (key === undefined) {
      throw new UndocumentedAnswer(`${at}; documented are ${Object.keys(route.operation.responses).join(', ')}`);
    }
    const declared = route.operation.responses[key] as DocumentedResponse;
    const response = resolved(this.#document, declared);
    this.#checkHeaders(at, response, headers);
    this.#checkBody(at, response, pointerOf(declared, route, key), headers, body);
  }

  /** The route that serves a path; undefined if the document has none. */
  routeOf(method: string, path: string): Route | undefined {
    // Do not use URL: unlike the router, it treats `%2e%2e` as a parent folder.
    const [pathname = ''] = path.split('?');
    return this.#routes.find((route) => route.method === method.toLowerCase() && route.pattern.test(pathname));
  }

  #checkHeaders(at: string, response: DocumentedResponse, headers: Headers): void {
    const missing = Object.entries(response.headers ?? {})
      .filter(([name, header]) => resolved(this.#document, header).required && !headers.has(name))
      .map(([name]) => name);
    if (missing.length > 0) throw new UndocumentedAnswer(`${at} without the header ${missing.join(', ')}`);
  }

  #checkBody(at: string, { content }: DocumentedResponse, pointer: string, headers: Headers, body: Uint8Array): void {
    if (content === undefined || Object.keys(content).length === 0) {
      if (body.byteLength === 0) return;
      throw new UndocumentedAnswer(`${at} with ${body.byteLength} bytes; the document describes no body`);
    }
    const sent = (headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
    const documented = Object.keys(content).find((type) => mediaTypeMatches(type, sent));
    if (documented === undefined) {
      throw new UndocumentedAnswer(`${at} as "${sent}"; documented are ${Object.keys(content).join(', ')}`);
    }
    const { schema } = content[documented] as MediaType;
    // Bytes and event streams are documented by their content type only.
    if (schema === undefined || !/^application\/(.+\+)?json$/.test(sent)) return;
    const validate = this.#validator(`${pointer}/content/${escapePointer(documented)}/schema`);
    if (validate(parsed(at, body))) return;
    const wrong = (validate.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath || '/'} ${message} ${JSON.stringify(params)}`,
    );
    throw new UndocumentedAnswer(
      `${at} with a body that is not as documented:\n  ${wrong.join('\n  ')}\n` +
        `  ${Buffer.from(body).toString('utf8').slice(0, 2000)}`,
    );
  }

  #validator(pointer: string): ValidateFunction {
    let validate = this.#compiled.get(pointer);
    if (!validate) {
      validate = this.#ajv.compile({ $ref: `${DOCUMENT}${encodeURI(pointer)}` });
      this.#compiled.set(pointer, validate);
    }
    return validate;
  }
}

export interface Route extends DocumentedRoute {
  readonly pattern: RegExp;
  readonly parameters: number;
}

/** Literal paths take precedence over templates, as in every router. */
function compileRoute(route: DocumentedRoute): Route {
  const steps = route.path.split(/\{[^}]+\}/);
  const escaped = steps.map((step) => step.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  return { ...route, pattern: new RegExp(`^(?:/api/v1)?${escaped.join('[^/]+')}/?$`), parameters: steps.length - 1 };
}

function pointerOf(declared: object, route: DocumentedRoute, key: string): string {
  const { $ref } = declared as { $ref?: string };
  return $ref ?? `#/paths/${escapePointer(route.path)}/${route.method}/responses/${key}`;
}

function mediaTypeMatches(documented: string, sent: string): boolean {
  const pattern = documented.split(';')[0]?.trim().toLowerCase() ?? '';
  return pattern === '*/*' || pattern === sent || (pattern.endsWith('/*') && sent.startsWith(pattern.slice(0, -1)));
}

function parsed(at: string, body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString('utf8'));
  } catch {
    throw new UndocumentedAnswer(
      `${at} with a body that is not JSON: ${Buffer.from(body).toString('utf8').slice(0, 200)}`,
    );
  }
}
