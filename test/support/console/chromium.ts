/** The path at which Debian's package `chromium` installs it. */
export const CHROMIUM = '/usr/bin/chromium';
