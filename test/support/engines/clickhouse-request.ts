import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';

/** A request to ClickHouse's HTTP interface, as the service's client sends it. */
export interface ClickHouseRequest {
  readonly text: string;
  readonly data: Buffer | undefined;
  readonly parameters: Readonly<Record<string, string>>;
  /** The other fields: settings, and fields of the interface itself. */
  readonly fields: readonly (readonly [string, string])[];
}

export async function readClickHouseRequest(request: IncomingMessage): Promise<ClickHouseRequest> {
  const { searchParams } = new URL(request.url!, 'http://localhost');
  const body = await buffer(request);
  const type = request.headers['content-type'] ?? '';
  const isForm = type.startsWith('multipart/form-data');
  const fields = new Map(searchParams);
  if (isForm) {
    // The body is small and comes from the service's own client.
    // oxlint-disable-next-line typescript/no-deprecated
    const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData();
    for (const [name, value] of form) fields.set(name, typeof value === 'string' ? value : await value.text());
  }
  const query = fields.get('query');
  fields.delete('query');
  return {
    text: query ?? body.toString(),
    data: query !== undefined && !isForm ? body : undefined,
    parameters: Object.fromEntries(
      [...fields].flatMap(([name, value]) => (name.startsWith('param_') ? [[name.slice(6), value]] : [])),
    ),
    fields: [...fields].filter(([name]) => !name.startsWith('param_')),
  };
}

/** The body of an error response, from which the service's client reads the number and the name of the error. */
export const refusal = (code: string, message: string): string =>
  `Code: ${code}. DB::Exception: ${message} (UNKNOWN_EXCEPTION)`;
