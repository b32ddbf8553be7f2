import type { RunningService } from './service.js';

const POSTER_TO_FILE =
  `node -e 'const{data,error}=JSON.parse(require("fs").readFileSync(0));if(error)throw error.message;` +
  `require("fs").writeFileSync("poster.png",Buffer.from(data[0].b64_json,"base64"))'`;
/** The options show why a call failed. They print connection errors and the body of an error response. */
const CURL = 'curl -sS --fail-with-body';

/** The text that is printed when the service is ready: its addresses, and commands to try. */
export function welcome({ origin, keys, consoleLink }: RunningService): string {
  const api = `${origin}/api/v1`;
  const toShow = [
    keys.management.toShow && `  management key  ${keys.management.toShow}`,
    keys.standard.toShow && `  API key         ${keys.standard.toShow}`,
  ].filter(Boolean);
  const key = `-H "Authorization: Bearer ${keys.standard.shellExpression}"`;
  const json = `-H 'Content-Type: application/json'`;
  const chat = '{"model":"builtin/eliza","messages":[{"role":"user","content":"I feel sad today"}]}';
  const speech = '{"model":"builtin/flite","voice":"slt","response_format":"mp3","input":"Hello from Gatehouse."}';
  const image = '{"model":"builtin/poster","prompt":"A lighthouse above a stormy sea","seed":7}';
  return [
    '',
    'Gatehouse is ready.',
    `  Console   ${origin}/console/`,
    `  API       ${api}`,
    `  Swagger   ${origin}/docs`,
    `  OpenAPI   ${api}/openapi.json`,
    ...(consoleLink === null
      ? []
      : ['', 'Sign in to the console with this link, once and within five minutes:', `  ${consoleLink.url}`]),
    ...(toShow.length > 0
      ? [
          '',
          'Generated keys, which are shown only this once (kept in DATA_DIR, readable by their owner only):',
          ...toShow,
        ]
      : []),
    '',
    'Try it:',
    `  ${CURL} ${api}/chat/completions ${key} ${json} -d '${chat}'`,
    `  ${CURL} ${api}/models ${key}`,
    `  ${CURL} ${api}/audio/speech ${key} ${json} -d '${speech}' -o hello.mp3 || cat hello.mp3`,
    `  ${CURL} ${api}/images ${key} ${json} -d '${image}' | ${POSTER_TO_FILE}`,
    '',
  ].join('\n');
}

/**
 * The same facts as members of a JSON log line. They include the file names of the keys and of the link instead of
 * their contents, because many people may read a stored log.
 */
export function welcomeFacts({ origin, keys, consoleLink }: RunningService): Readonly<Record<string, unknown>> {
  const files = [keys.management.file, keys.standard.file].filter((file) => file !== null);
  return {
    api: `${origin}/api/v1`,
    console: `${origin}/console/`,
    swagger: `${origin}/docs`,
    openapi: `${origin}/api/v1/openapi.json`,
    ...(files.length > 0 ? { key_files: files } : {}),
    ...(consoleLink === null ? {} : { console_link_file: consoleLink.file }),
  };
}
