import { isIP } from 'node:net';
import { exactHostName } from '../vaults/host-names.js';
import { EgressRefusal } from './proxy.errors.js';

/** The destination of a request. */
export interface Target {
  /** An exact host name, or an IP address. */
  readonly host: string;
  readonly port: number;
}

const AUTHORITY = /^(\[[0-9a-fA-F:.]+\]|[^\s:@/?#\\[\]]+):(\d{1,5})$/;
/** The ports of HTTP and HTTPS. Interns call web services, not databases or mail servers. */
const PORTS: ReadonlySet<number> = new Set([80, 443]);

/** The canonical form of an exact host name or an IP address, with or without brackets; undefined for anything else. */
export function hostOfTarget(text: string): string | undefined {
  const bare = text.replace(/^\[|\]$/g, '');
  return isIP(bare) ? bare : exactHostName(text);
}

/** Parses the `host:port` of a CONNECT request. */
export function targetOf(authority: string | undefined): Target {
  const [, host = '', digits = ''] = AUTHORITY.exec(authority ?? '') ?? [];
  const name = hostOfTarget(host);
  if (name === undefined) throw new EgressRefusal(400, 'CONNECT needs an exact host name or address, and a port');
  return allowed({ host: name, port: Number(digits) });
}

/** Parses the absolute `http:` URL of a plain proxy request. */
export function plainTargetOf(url: string | undefined): Target & { readonly path: string } {
  const parsed = URL.canParse(url ?? '') ? new URL(url!) : undefined;
  if (parsed?.protocol !== 'http:' || parsed.username !== '' || parsed.password !== '') {
    throw new EgressRefusal(400, 'This is a proxy: send an absolute http: URL, or CONNECT for https');
  }
  const host = hostOfTarget(parsed.hostname);
  if (host === undefined) throw new EgressRefusal(400, 'The URL needs an exact host name');
  return { ...allowed({ host, port: Number(parsed.port || 80) }), path: `${parsed.pathname}${parsed.search}` };
}

/** Whether a Host header or `:authority` names this host and, if it has a port, this port. */
export function namesHost(authority: string | undefined, host: string, onPort: number): boolean {
  const [, name = '', port = String(onPort)] = /^([^:]*)(?::(\d+))?$/.exec(authority ?? '') ?? [];
  return port === String(onPort) && exactHostName(name) === host;
}

function allowed(target: Target): Target {
  if (!PORTS.has(target.port))
    throw new EgressRefusal(403, `Port ${target.port} is closed to interns: ${[...PORTS].join(' and ')} are open`);
  return target;
}
