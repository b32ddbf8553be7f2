import { fileURLToPath } from 'node:url';
import type { EgressWay } from '../runtime.driver.js';

/** The folder of the agent's program: compiled, or in tests the TypeScript source, which Node runs directly. */
export const agentFolder = fileURLToPath(new URL('../agent', import.meta.url));

/** The arguments with which Node runs the agent. `folder`: the path of the agent's folder in the runtime. */
export const agentArguments = (folder: string): string[] => [
  '--disable-warning=ExperimentalWarning',
  `${folder}/intern-agent.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`,
];

/** Files with certificate authorities in PEM. */
interface TrustFiles {
  /** The authorities of the egress proxy. Node adds them to its built-in authorities. */
  readonly own: string;
  /** All authorities, for other programs. */
  readonly all: string;
}

/** The URL of the egress proxy at a port of the runtime's loopback. */
export const proxyUrl = ({ token }: EgressWay, port: number): string =>
  `http://intern:${token.reveal()}@127.0.0.1:${port}`;

/** The environment of an intern. It contains nothing from the service's environment. */
export const environmentOf = (
  home: string,
  proxy: string | null,
  { own, all }: TrustFiles,
): Record<string, string> => ({
  HOME: home,
  LANG: 'C.UTF-8',
  ...(proxy !== null && {
    HTTP_PROXY: proxy,
    HTTPS_PROXY: proxy,
    http_proxy: proxy,
    https_proxy: proxy,
    NODE_USE_ENV_PROXY: '1',
    NODE_EXTRA_CA_CERTS: own,
    SSL_CERT_FILE: all,
    CURL_CA_BUNDLE: all,
  }),
});
