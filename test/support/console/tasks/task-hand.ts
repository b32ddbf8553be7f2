import type { Locator, Page } from 'playwright-core';
import { Keyboard } from '../keyboard.js';

export type Mode = 'mouse' | 'touch' | 'keyboard';
type Role = 'button' | 'link' | 'menuitem' | 'option' | 'tab';

const MAX_ARROWS = 40;
const GO_TO = 'Go to a page, key, model or call';

/**
 * Acts like a person with a mouse, with touch or with the keyboard only, and counts the actions. An activation by
 * keyboard counts as a click. Typed text counts as one field, whatever its length; the click into the field is not
 * counted.
 */
export class TaskHand {
  clicks = 0;
  fields = 0;
  readonly #keys: Keyboard;

  constructor(
    readonly page: Page,
    readonly mode: Mode,
  ) {
    this.#keys = new Keyboard(page);
  }

  /** Elements whose focus is not visible. */
  get invisible(): readonly string[] {
    return this.#keys.invisible;
  }

  /** Opens a page by the navigation. In a narrow window or by keyboard, uses the search in the header. */
  async go(name: string): Promise<void> {
    if (this.mode === 'mouse')
      await this.#click(this.page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name }).first());
    else await this.search(name);
    await this.page.getByRole('heading', { name, level: 1, exact: true }).waitFor();
  }

  /** Opens the result with this name by the search in the header. */
  async search(name: string): Promise<void> {
    this.fields += 1;
    if (this.mode === 'keyboard') {
      this.clicks += 1;
      await this.page.keyboard.press('Control+K');
    } else await this.#click(this.page.getByRole('button', { name: GO_TO }));
    await this.#keys.has('Go to');
    await this.page.keyboard.type(name);
    await this.page.getByRole('listbox', { name: 'Found' }).getByRole('option', { selected: true, name }).waitFor();
    await this.page.keyboard.press('Enter');
    await this.closed();
  }

  /** `backwards`: moves the focus by Shift+Tab in keyboard mode. */
  async press(role: Role, name: string, backwards = false): Promise<void> {
    if (this.mode !== 'keyboard')
      return this.#click((await this.#place()).getByRole(role, { name, exact: true }).first());
    this.clicks += 1;
    await (await this.#place()).getByRole(role, { name, exact: true }).first().waitFor();
    if (role === 'tab') return this.#arrowsTo(`tab "${name}"`);
    await this.#keys.to(`${role} "${name}"`, backwards ? 'Shift+Tab' : 'Tab');
    await this.page.keyboard.press('Enter');
  }

  /** Presses the first link in a part of the page. */
  async pressFirstLink(place: Locator): Promise<string> {
    const link = place.getByRole('link').first();
    const name = (await link.textContent())!;
    if (this.mode === 'keyboard') await this.press('link', name);
    else await this.#click(link);
    return name;
  }

  /** Chooses a switch, a radio button or a segment of a segmented control. */
  async pick(label: string): Promise<void> {
    if (this.mode !== 'keyboard') {
      const place = await this.#place();
      const found = place.getByRole('switch', { name: label, exact: true });
      return this.#click((await found.count()) > 0 ? found : place.getByText(label, { exact: true }));
    }
    this.clicks += 1;
    for (const input of ['switch', 'radio'] as const) {
      const found = this.page.getByRole(input, { name: label, exact: true });
      if ((await found.count()) === 0) continue;
      await this.#keys.toAny([`${input} "${label}"`, 'radio ']);
      const isReached = (await this.#keys.focused()).includes(`${input} "${label}"`);
      if (isReached) await this.page.keyboard.press(' ');
      else await this.#arrowsTo(`radio "${label}"`, 'ArrowRight');
      return;
    }
    throw new Error(`${label} is neither a switch nor a radio button`);
  }

  async fill(label: string, text: string, backwards = false): Promise<void> {
    this.fields += 1;
    // The label of a required field ends with an asterisk.
    const field = (await this.#place()).getByLabel(new RegExp(`^${label}( \\*)?$`)).first();
    await field.waitFor();
    if (this.mode === 'keyboard') await this.#keys.fill(label, text, backwards ? 'Shift+Tab' : 'Tab');
    else await field.fill(text);
  }

  async enter(): Promise<void> {
    await this.page.keyboard.press('Enter');
  }

  /** Chooses an option of a list. */
  async choose(label: string, option: string): Promise<void> {
    this.clicks += this.mode === 'keyboard' ? 2 : 0;
    if (this.mode === 'keyboard') return this.#keys.choose(label, option);
    await this.#click((await this.#place()).getByRole('combobox', { name: label, exact: true }));
    await this.#click(this.page.getByRole('option', { name: option, exact: true }));
  }

  /** Chooses an option of a long list by a part of its name. An e-mail address may follow the name. */
  async find(label: string, text: string, option: string): Promise<void> {
    this.fields += 1;
    const field = (await this.#place()).getByRole('combobox', { name: label, exact: true });
    if (this.mode === 'keyboard') await this.#keys.fill(label, text);
    else await field.fill(text);
    const found = this.page.getByRole('option', { name: new RegExp(`^${option}( · |$)`) });
    await found.waitFor();
    if (this.mode !== 'keyboard') return this.#click(found);
    this.clicks += 1;
    const chosen = found.and(this.page.locator('[data-combobox-selected]'));
    while ((await chosen.count()) === 0) await this.page.keyboard.press('ArrowDown');
    await this.page.keyboard.press('Enter');
  }

  /** Chooses an entry of a menu. */
  async menu(button: string, item: string): Promise<void> {
    await this.press('button', button);
    if (this.mode !== 'keyboard') return this.#click(this.page.getByRole('menuitem', { name: item, exact: true }));
    this.clicks += 1;
    await this.page.getByRole('menuitem', { name: item, exact: true }).waitFor();
    await this.#arrowsTo(`menuitem "${item}"`, 'ArrowDown');
    await this.page.keyboard.press('Enter');
  }

  /** Chooses an option of an open list whose field has the focus. */
  async takeOption(option: string): Promise<void> {
    const found = this.page.getByRole('option', { name: new RegExp(`^${option}( · |$)`) });
    await found.waitFor();
    if (this.mode !== 'keyboard') return this.#click(found);
    this.clicks += 1;
    await this.#until(async () => (await found.getAttribute('data-combobox-selected')) !== null, 'ArrowDown', option);
    await this.page.keyboard.press('Enter');
  }

  /** Presses the browser's Back button. */
  async back(): Promise<void> {
    this.clicks += 1;
    await this.page.goBack();
  }

  /** Waits until no dialog is open. */
  async closed(): Promise<void> {
    await this.page.getByRole('dialog').waitFor({ state: 'detached' });
  }

  /** The open dialog, or otherwise the page. */
  async #place(): Promise<Page | Locator> {
    const dialog = this.page.getByRole('dialog');
    return (await dialog.count()) > 0 ? dialog.first() : this.page;
  }

  async #click(target: Locator): Promise<void> {
    this.clicks += 1;
    if (this.mode === 'touch') await target.tap();
    else await target.click();
  }

  async #arrowsTo(name: string, arrow = 'ArrowRight'): Promise<void> {
    if (name.startsWith('tab')) await this.#keys.toAny(['tab ']);
    await this.#until(async () => (await this.#keys.focused()).includes(name), arrow, name);
  }

  async #until(isThere: () => Promise<boolean>, arrow: string, name: string): Promise<void> {
    for (let arrows = 0; arrows < MAX_ARROWS; arrows++) {
      if (await isThere()) return;
      await this.page.keyboard.press(arrow);
    }
    throw new Error(`${name} is not reached by ${arrow}`);
  }
}
