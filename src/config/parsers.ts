/** Throws what a variable must be; the reader of the environment adds its name, and never the value. */
export const must = (condition: boolean, what: string): void => {
  if (!condition) throw new Error(`must be ${what}`);
};

export const integer =
  (min: number, max: number) =>
  (text: string): number => {
    const value = Number(text);
    must(/^\d+$/.test(text) && value >= min && value <= max, `a whole number from ${min} to ${max}`);
    return value;
  };

export const oneOf =
  <T extends string>(...values: readonly T[]) =>
  (text: string): T => {
    must((values as readonly string[]).includes(text), `one of ${values.join(', ')}`);
    return text as T;
  };

export const flag = (text: string): boolean => {
  must(text === 'true' || text === 'false', 'true or false');
  return text === 'true';
};

export const text = (value: string): string => value;

export const hostname = (value: string): string => {
  const name = value.trim().toLowerCase().replace(/\.$/, '');
  must(
    /^[a-z0-9_]([a-z0-9._-]*[a-z0-9_])?$/.test(name),
    'a host name without scheme, port or path, or several separated by commas where the variable takes several',
  );
  return name;
};

export const hostnames = (value: string): readonly string[] =>
  value
    .split(',')
    .filter((part) => part.trim() !== '')
    .map(hostname);
