/**
 * Copies the text of an element. Also works without `navigator.clipboard`, which pages over plain HTTP do not have. If
 * the browser allows neither way, the text stays selected and the result is false.
 */
export async function copyText(element: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(element.textContent);
    return true;
  } catch {
    document.getSelection()?.selectAllChildren(element);
    // oxlint-disable-next-line typescript/no-deprecated -- The only way to copy over plain HTTP.
    return document.execCommand('copy');
  }
}
