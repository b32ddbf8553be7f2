import { percentDecoded } from '../kernel/text/text.js';

const PAGE = /^\/console\/[\w\-/?=&%#.]*$/;
/** Paths that are not pages. Opening such a path would start another sign-in, or show data as a page. */
const NO_PAGE = /^\/console\/(?:oidc|session|api)(?:[/?#]|$)/;
const MAX_CHARACTERS = 2_000;

const START_PAGE = '/console/';

/** The page of the console to open after a sign-in. Returns the start page for an invalid path. */
export function returnPath(given: unknown): string {
  if (typeof given !== 'string' || given.length > MAX_CHARACTERS) return START_PAGE;
  return isPage(given) && isPage(percentDecoded(given)) ? given : START_PAGE;
}

function isPage(path: string | undefined): boolean {
  if (path === undefined || !PAGE.test(path) || path.includes('//')) return false;
  const { pathname } = new URL(path, 'http://localhost');
  return pathname.startsWith(START_PAGE) && !NO_PAGE.test(pathname);
}
