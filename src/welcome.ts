import type { RunningService } from './service.js';

/** What is printed when the service is ready: where things are, and lines that work when pasted. */
export function welcome({ origin, keys }: RunningService): string {
  const api = `${origin}/api/v1`;
  const made = [
    keys.management.madeNow && `  management key  ${keys.management.madeNow}`,
    keys.standard.madeNow && `  API key         ${keys.standard.madeNow}`,
  ].filter(Boolean);
  return [
    '',
    'Gatehouse is ready.',
    `  API       ${api}`,
    `  Swagger   ${origin}/docs`,
    `  OpenAPI   ${api}/openapi.json`,
    ...(made.length > 0
      ? ['', 'Keys made now and shown this once (kept in DATA_DIR, readable by their owner only):', ...made]
      : []),
    '',
    'Try it:',
    `  curl -s ${api}/models -H "Authorization: Bearer ${keys.standard.shellExpression}"`,
    `  curl -s ${api}/audio/speech -H "Authorization: Bearer ${keys.standard.shellExpression}" -H 'Content-Type: application/json' -d '{"model":"builtin/flite","voice":"slt","response_format":"mp3","input":"Hello from Gatehouse."}' -o hello.mp3`,
    `  curl -s ${api}/images -H "Authorization: Bearer ${keys.standard.shellExpression}" -H 'Content-Type: application/json' -d '{"model":"builtin/poster","prompt":"A lighthouse above a stormy sea","seed":7}' | node -e 'const b=[];process.stdin.on("data",d=>b.push(d)).on("end",()=>require("fs").writeFileSync("poster.png",Buffer.from(JSON.parse(Buffer.concat(b)).data[0].b64_json,"base64")))'`,
    '',
  ].join('\n');
}
