/** The characters that the value of an HTTP header may contain. Others could end it and start another header. */
const HEADER_TEXT = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Whether an HTTP header can carry the text. */
export const isHeaderText = (text: string): boolean => HEADER_TEXT.test(text);
