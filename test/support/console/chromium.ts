import { existsSync } from 'node:fs';

/** Debian's packages `chromium-headless-shell`, which takes half the CPU time to open a page, and `chromium`. */
const PATHS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];

/** The path of the browser; undefined if neither package is installed. */
export const CHROMIUM = PATHS.find((path) => existsSync(path));
