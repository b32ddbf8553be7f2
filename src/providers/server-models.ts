import type { SecretValue } from '../kernel/secret-value.js';
import { compatibleModels, type ModelListSource, type ServerModel } from './adapters/model-lists/model-list.js';
import { ollamaModels } from './adapters/model-lists/ollama-models.js';
import { VendorFetch } from './wire/vendor-fetch.js';

export type { ServerModel };

export interface ModelServer {
  readonly baseUrl: string;
  /**
   * The format of the server's list, such as `ollama`, or the path of the list on the server. Default: `GET
   * {base}/models`.
   */
  readonly list?: string;
  readonly credential: SecretValue | null;
  readonly timeoutMs: number;
  /** Reports the progress as the number of models read and their total. */
  readonly onProgress: ModelListSource['onProgress'];
}

const FORMATS: Readonly<Record<string, (source: ModelListSource) => Promise<ServerModel[]>>> = { ollama: ollamaModels };

/** Reads a server's list of models. Throws GatewayError with the address and the error. */
export async function readServerModels(server: ModelServer): Promise<ServerModel[]> {
  const { list, credential, timeoutMs, onProgress } = server;
  const baseUrl = server.baseUrl.replace(/\/+$/, '');
  const vendorFetch = new VendorFetch(timeoutMs);
  const forCall = vendorFetch.forCall({ home: { standard: baseUrl }, signal: AbortSignal.timeout(10 * timeoutMs) });
  const source: ModelListSource = {
    baseUrl,
    onProgress,
    fetch: (url, init) => {
      const headers = new Headers(init?.headers);
      if (credential) headers.set('authorization', `Bearer ${credential.reveal()}`);
      return forCall(url, { ...init, headers });
    },
  };
  try {
    const read = list === undefined ? undefined : FORMATS[list];
    return await (read ? read(source) : compatibleModels(source, list));
  } finally {
    await vendorFetch.close();
  }
}
