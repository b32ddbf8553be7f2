/**
 * Copies the text of an element, without `navigator.clipboard` too: pages over plain HTTP do not have it. Where the
 * browser allows neither way, the text is left selected and the result is false.
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
