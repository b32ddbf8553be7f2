/**
 * The characters that the value of an HTTP header may contain. Other characters could end the value and start another
 * header.
 */
const HEADER_TEXT = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Whether an HTTP header can carry the text. */
export const isHeaderText = (text: string): boolean => HEADER_TEXT.test(text);
