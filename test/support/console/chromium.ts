/** Where Debian's package `chromium` installs it. */
export const CHROMIUM = '/usr/bin/chromium';
