/** The largest file: exactly this many bytes are accepted (docs/api-rules.md, section 7). */
export const MAX_FILE_BYTES = 104_857_600;
