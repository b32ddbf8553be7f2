/** Where the database is. `directUrl` leads past a pooler, for LISTEN and advisory locks. */
export class DatabaseUrls {
  constructor(
    readonly url: string,
    readonly directUrl: string = url,
  ) {}
}
