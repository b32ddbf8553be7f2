import { readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { BUILD_FOLDER } from './compiled-code.js';

/**
 * Shows source positions in the stack traces of compiled files below `folder` (default: the folder of the running
 * build). A source map is read when a stack trace first needs it, whereas Node's own support reads the map of each file
 * that it loads.
 */
export function showSourcePositions(folder = BUILD_FOLDER): void {
  if (folder === undefined) return;
  const prefix = `${pathToFileURL(folder).href}/`;
  const maps = new Map<string, SourceMap | undefined>();
  const mapOf = (url: string): SourceMap | undefined => {
    if (!maps.has(url)) maps.set(url, readMap(url));
    return maps.get(url);
  };
  Error.prepareStackTrace = (error, sites) =>
    [
      headOf(error),
      ...sites.map((site) => `    at ${url(site).startsWith(prefix) ? mapped(site, mapOf) : textOf(site)}`),
    ].join('\n');
}

/** V8's text of a call site. The type of call sites does not declare `toString`. */
const textOf = (site: NodeJS.CallSite): string => (site as { toString(): string }).toString();

const url = (site: NodeJS.CallSite): string => site.getFileName() ?? '';

/** The call site as text, with the source position if known. */
function mapped(site: NodeJS.CallSite, mapOf: (url: string) => SourceMap | undefined): string {
  const [line, column] = [site.getLineNumber() ?? 0, site.getColumnNumber() ?? 0];
  const origin = mapOf(url(site))?.findOrigin(line, column);
  if (!origin || !('fileName' in origin)) return textOf(site);
  const file = fileURLToPath(new URL(origin.fileName, url(site)));
  return textOf(site).replace(`${url(site)}:${line}:${column}`, `${file}:${origin.lineNumber}:${origin.columnNumber}`);
}

function readMap(file: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(readFileSync(new URL(`${file}.map`), 'utf8')) as SourceMapPayload);
  } catch {
    return undefined;
  }
}

/** The text that V8 writes before the first call site. */
function headOf(error: Error): string {
  try {
    return String(error);
  } catch {
    return 'Error';
  }
}
