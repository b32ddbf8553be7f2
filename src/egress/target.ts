import { isIP } from 'node:net';
import { exactHostName } from '../vaults/host-names.js';
import { EgressRefusal } from './proxy.errors.js';

/** Where a request wants to go. */
export interface Target {
  /** An exact host name, or an IP address. */
  readonly host: string;
  readonly port: number;
}

const AUTHORITY = /^(\[[0-9a-fA-F:.]+\]|[^\s:@/?#\\[\]]+):(\d{1,5})$/;
/** The web's own ports: interns speak to services, not to databases or mail servers. */
const PORTS: ReadonlySet<number> = new Set([80, 443]);

/** Reads `host:port`, as a CONNECT names it. */
export function targetOf(authority: string | undefined): Target {
  const [, host = '', digits = ''] = AUTHORITY.exec(authority ?? '') ?? [];
  const bare = host.replace(/^\[|\]$/g, '');
  const name = isIP(bare) ? bare : exactHostName(host);
  if (name === undefined) throw new EgressRefusal(400, 'CONNECT needs an exact host name or address, and a port');
  return allowed({ host: name, port: Number(digits) });
}

/** Reads an absolute `http:` URL, as a plain request through a proxy carries it. */
export function plainTargetOf(url: string | undefined): Target & { readonly path: string } {
  const parsed = URL.canParse(url ?? '') ? new URL(url!) : undefined;
  if (parsed?.protocol !== 'http:' || parsed.username !== '' || parsed.password !== '') {
    throw new EgressRefusal(400, 'This is a proxy: send an absolute http: URL, or CONNECT for https');
  }
  const bare = parsed.hostname.replace(/^\[|\]$/g, '');
  const host = isIP(bare) ? bare : exactHostName(parsed.hostname);
  if (host === undefined) throw new EgressRefusal(400, 'The URL needs an exact host name');
  return { ...allowed({ host, port: Number(parsed.port || 80) }), path: `${parsed.pathname}${parsed.search}` };
}

/** Whether a Host header or `:authority` names this host on the port of https, and nothing else. */
export function namesHost(authority: string | undefined, host: string): boolean {
  const [, name = '', port = '443'] = /^([^:]*)(?::(\d+))?$/.exec(authority ?? '') ?? [];
  return port === '443' && exactHostName(name) === host;
}

function allowed(target: Target): Target {
  if (!PORTS.has(target.port))
    throw new EgressRefusal(403, `Port ${target.port} is closed to interns: ${[...PORTS].join(' and ')} are open`);
  return target;
}
