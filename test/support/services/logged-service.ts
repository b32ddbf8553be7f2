import { eventually } from '../eventually.js';
import { startScriptedVendor, type ScriptedVendor } from '../vendors/scripted-vendor.js';
import { startTestService, type TestService } from './test-service.js';

export type Line = Record<string, unknown>;

export interface LoggedService {
  readonly vendor: ScriptedVendor;
  readonly service: TestService;
  /** The lines written since the test last emptied it. */
  readonly log: { written: string[] };
  readonly lines: (context?: string) => Line[];
  readonly linesOf: (requestId: string | null) => Promise<Line[]>;
  readonly call: (method: string, path: string, key: string | undefined, json?: object) => Promise<Response>;
  readonly accessLineOf: (response: Response) => Promise<Line>;
}

/** A service that logs JSON to memory, with a scripted vendor. */
export async function startLoggedService(): Promise<LoggedService> {
  const log = { written: [] as string[] };
  const vendor = await startScriptedVendor();
  const service = await startTestService({
    env: {
      LOG_FORMAT: 'json',
      LOG_LEVEL: 'info',
      OPENAI_API_KEY: 'a-credential-of-the-vendor',
      OPENAI_BASE_URL: vendor.baseUrl,
      BREAKER_FAILURES: '1000',
      INTERN_RUNTIME: 'none',
    },
    logTo: (text) => void log.written.push(...text.split('\n').filter(Boolean)),
  });
  const lines = (context?: string): Line[] =>
    log.written
      .map((line) => JSON.parse(line) as Line)
      .filter((line) => context === undefined || line['context'] === context);
  /** Waits for the access line of a request, which is its last line, and returns all of its lines. */
  const linesOf = async (requestId: string | null): Promise<Line[]> => {
    await eventually(async () => expect(lines('access').map((line) => line['request_id'])).toContain(requestId));
    return lines().filter((line) => line['request_id'] === requestId);
  };
  const call = async (method: string, path: string, key: string | undefined, json?: object): Promise<Response> => {
    const response = await fetch(`${service.origin}${path}`, {
      method,
      headers: {
        ...(key ? { authorization: `Bearer ${key}` } : {}),
        ...(json ? { 'content-type': 'application/json' } : {}),
      },
      ...(json ? { body: JSON.stringify(json) } : {}),
    });
    await response.arrayBuffer().catch(() => undefined);
    return response;
  };
  const accessLineOf = async (response: Response): Promise<Line> =>
    (await linesOf(response.headers.get('x-request-id'))).find(({ context }) => context === 'access')!;

  return { vendor, service, log, lines, linesOf, call, accessLineOf };
}
