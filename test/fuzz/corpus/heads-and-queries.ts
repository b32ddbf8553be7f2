import { asked, type KeptRequest } from './kept-request.js';

const PAGES = [
  '/keys',
  '/generations',
  '/ledger',
  '/audit',
  '/files',
  '/interns',
  '/end-users',
  '/workspaces',
  '/byok',
];
const COUNTS = ['0', '-1', '1.5', '1e300', '99999999999', '9007199254740993', '9223372036854775808', '9'.repeat(400)];

export const pages = (): KeptRequest[] => [
  ...PAGES.flatMap((path) =>
    COUNTS.flatMap((count) =>
      ['limit', 'offset'].map((name) => asked(`${name}=${count.slice(0, 20)} of ${path}`, `${path}?${name}=${count}`)),
    ),
  ),
  ...PAGES.flatMap((path) =>
    ['cursor', 'starting_after', 'workspace_id'].flatMap((name) =>
      ['%00', 'a%00b', '%C3%28', '%zz', 'YWZ0ZXI6OTk5OTk5OTk5'].map((text) =>
        asked(`${name}=${text} of ${path}`, `${path}?${name}=${text}`),
      ),
    ),
  ),
];

export const heads = (): KeptRequest[] => [
  {
    name: 'a request without a Host ended the process',
    method: 'GET',
    path: '/api/v1/models',
    raw: 'GET /api/v1/models HTTP/1.1\r\n\r\n',
    status: 400,
  },
  {
    name: 'an absolute target without a path got a page of HTML',
    method: 'POST',
    path: '/',
    raw: 'POST http:// HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nConnection: close\r\n\r\n',
    status: 404,
  },
  ...['/keys/%zz', '/keys/%C3%28', '/interns/%', '/models/%ff/%fe', '/vault/secrets/%00'].map((path) =>
    asked(`a path that cannot be decoded: ${path}`, path),
  ),
  ...['%zz', '%C3%28', '%', '%00', '%ff'].flatMap((text) => [
    asked(`a value of a query that cannot be decoded: ${text}`, `/models?q=${text}`),
    asked(`a name of a query that cannot be decoded: ${text}`, `/models?${text}=1`),
  ]),
];
