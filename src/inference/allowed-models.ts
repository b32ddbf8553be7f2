/** The list entry for all models of an author. */
const everyModelOf = (author: string): string => `${author}/*`;

/** Whether a list of model ids and `author/*` contains a model. */
export const allowsModel = (allowed: readonly string[], id: string): boolean =>
  allowed.includes(id) || allowed.includes(everyModelOf(id.slice(0, id.indexOf('/'))));
