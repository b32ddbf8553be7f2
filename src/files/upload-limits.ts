/** Maximum size of a file. A file of exactly this size is accepted (docs/api-rules.md, section 7). */
export const MAX_FILE_BYTES = 104_857_600;
