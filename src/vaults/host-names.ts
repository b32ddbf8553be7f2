const LABEL = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/;
const MAX_HOST_CHARACTERS = 253;

/**
 * Converts an exact DNS name to its canonical form: lower case, without a trailing dot. Undefined for anything else:
 * addresses, wildcards, schemes, ports, paths, and names outside ASCII, which have an `xn--` form.
 */
export function exactHostName(text: string): string | undefined {
  // Check the length first; a trailing dot adds one character.
  if (text.length > MAX_HOST_CHARACTERS + 1) return undefined;
  // Convert ASCII only, because the lower case of some letters outside ASCII is a letter from a to z.
  const name = text.replace(/[A-Z]/g, (letter) => letter.toLowerCase()).replace(/\.$/, '');
  const labels = name.split('.');
  const isName =
    name.length <= MAX_HOST_CHARACTERS &&
    labels.every((label) => LABEL.test(label)) &&
    !/^(\d+|0x[0-9a-f]*)$/.test(labels.at(-1)!);
  return isName ? name : undefined;
}
