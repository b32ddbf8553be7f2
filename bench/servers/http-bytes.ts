export const json = (body: object): Buffer => whole('application/json', Buffer.from(JSON.stringify(body)));

export const whole = (type: string, body: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from(`HTTP/1.1 200 OK\r\ncontent-type: ${type}\r\ncontent-length: ${body.length}\r\n\r\n`),
    body,
  ]);

/** One piece of a chunked body. */
export const piece = (text: string): Buffer => Buffer.from(`${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`);
