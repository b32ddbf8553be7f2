const BEARER_HEADER = /^Bearer +(\S+) *$/i;

/** The token in an Authorization header; undefined if the header is absent or has another form. */
export const bearerToken = (authorization: string | undefined): string | undefined =>
  authorization === undefined ? undefined : BEARER_HEADER.exec(authorization)?.[1];
