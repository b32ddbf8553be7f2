const LABEL = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/;
const LONGEST = 253;

/**
 * An exact DNS name in the one form in which names are compared: lower case, without a dot at the end. Undefined for anything
 * else: addresses, wildcards, schemes, ports, paths, and names outside ASCII, which have an `xn--` form.
 */
export function exactHostName(text: string): string | undefined {
  // Lower case by ASCII only: other alphabets have letters that fold into a to z.
  const name = text.replace(/[A-Z]/g, (letter) => letter.toLowerCase()).replace(/\.$/, '');
  const labels = name.split('.');
  const isName =
    name.length <= LONGEST && labels.every((label) => LABEL.test(label)) && !/^(\d+|0x[0-9a-f]*)$/.test(labels.at(-1)!);
  return isName ? name : undefined;
}
