import { bytesOf, type FuzzRequest, type FuzzResponse } from './requests/fuzz-request.js';

const MAX_SHOWN_CHARACTERS = 600;
/** The number of findings of one kind that are printed in full. */
const MAX_SHOWN_ALIKE = 2;

/** The findings of a run, with everything needed to reproduce them. */
export class Findings {
  readonly #alike = new Map<string, number>();

  constructor(
    private readonly seed: number,
    private readonly print: (text: string) => void,
  ) {}

  get count(): number {
    return [...this.#alike.values()].reduce((sum, count) => sum + count, 0);
  }

  /** One line for each kind of finding. */
  get lines(): string[] {
    return [...this.#alike].map(([kind, count]) => `${count} × ${kind}`);
  }

  /** A finding about one response. An Error means that there was no response. */
  add(fault: string, request: FuzzRequest, response: FuzzResponse | Error): void {
    const status = response instanceof Error ? 'no response' : response.status;
    const path = request.path.split('?')[0]!.replaceAll(/[^/]*[0-9%][^/]{5,}/g, '…');
    const kind = `${shortened(fault.split('\n').slice(0, 2).join(' '), 200)} (${request.method} ${path}, ${status})`;
    const count = (this.#alike.get(kind) ?? 0) + 1;
    this.#alike.set(kind, count);
    if (count <= MAX_SHOWN_ALIKE) this.print(report(this.seed, fault, request, response));
  }

  /** A finding about the run as a whole. */
  addGeneral(fault: string): void {
    this.#alike.set(fault, (this.#alike.get(fault) ?? 0) + 1);
    this.print(`FINDING ${fault}`);
  }
}

function report(
  seed: number,
  fault: string,
  { index, method, path, key, headers, body }: FuzzRequest,
  response: FuzzResponse | Error,
): string {
  const { authorization: _, ...shown } = headers;
  return [
    `FINDING ${fault}`,
    `  seed ${seed}, index ${index} (reached by --seed ${seed} --requests ${index + 1})`,
    `  ${method} ${shortened(path)}`,
    `  key: ${key.name}${key.account ? `, account ${key.account}` : ''}; headers: ${shortened(JSON.stringify(shown))}`,
    body === undefined ? '  no body' : `  body (${bytesOf({ body, path })} bytes): ${shortened(visible(body))}`,
    response instanceof Error
      ? `  no response: ${response.message}`
      : `  response: ${response.status} ${shortened(visible(response.body))}`,
  ].join('\n');
}

function shortened(text: string, max = MAX_SHOWN_CHARACTERS): string {
  const safe = withoutSecrets(text);
  if (safe.length <= max) return safe;
  return `${safe.slice(0, max / 2)} … ${safe.slice(-max / 2)} (${safe.length} characters)`;
}

/** Converts a body to one line of printable ASCII. */
const visible = (body: string | Buffer): string =>
  (typeof body === 'string' ? body : body.toString('latin1')).replaceAll(
    /[^ -~]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** Removes keys of this service and the values of members that contain a secret. */
const withoutSecrets = (text: string): string =>
  text
    .replaceAll(/sk-[\w-]{8,}/g, 'sk-[secret]')
    .replaceAll(/("(?:key|value)"\s*:\s*")(?:[^"\\]|\\.)*"/g, '$1[secret]"');
