import type { Page } from 'playwright-core';
import { eventually } from '../eventually.js';

const MAX_TABS = 120;

/**
 * The appearance of the focused element and its neighbours after transitions have ended. Some inputs show the focus on
 * a label, a track or a frame.
 */
const LOOK = `async (element) => {
  const transitions = document.getAnimations().filter((each) => each instanceof CSSTransition);
  await Promise.allSettled(transitions.map(({ finished }) => finished));
  const parent = element.parentElement;
  return [element, parent, parent?.parentElement, parent?.parentElement?.parentElement, element.nextElementSibling]
    .map((each) => each && getComputedStyle(each))
    .map((style) => style && [style.outlineStyle, style.boxShadow, style.borderColor, style.left].join())
    .join('|');
}`;

/** Uses the page with the keyboard only. Each element must look different while it has the focus. */
export class Keyboard {
  /** Elements whose focus is not visible. */
  readonly invisible: string[] = [];

  constructor(private readonly page: Page) {}

  /** Waits until an open menu has the focus. Before that, arrow keys scroll the page. The element may have no size. */
  async waitForMenu(): Promise<void> {
    await this.page.locator('[role=menu]:focus, [role=menu] :focus').waitFor({ state: 'attached' });
  }

  /** Presses Tab until an element with this accessible name has the focus, such as `Talk` or `tab "Talk"`. */
  to(name: string, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
    return this.toAny([name.includes('"') ? name : `"${name}"`], key);
  }

  /** Presses Tab until the role and name of the focused element contain one of these texts. */
  async toAny(wanted: readonly string[], key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
    const passed: string[] = [];
    for (let tabs = 0; tabs < MAX_TABS; tabs++) {
      const label = await this.next(key);
      if (wanted.some((each) => label.includes(each))) return;
      passed.push(label);
    }
    throw new Error(`${wanted.join(' or ')} is not reached by ${key}, but: ${passed.join(', ')}`);
  }

  /** Moves the focus once. Returns the role and name of the focused element. */
  async next(key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<string> {
    await this.page.evaluate(`(async () => {
      globalThis.elementBefore = document.activeElement;
      globalThis.lookBefore = await (${LOOK})(elementBefore);
    })()`);
    await this.page.keyboard.press(key);
    // After a navigation the page itself has the focus, without a frame.
    const isSeen = await this.page.evaluate<boolean>(`(async () =>
      elementBefore === document.body || elementBefore.id === 'page' || !elementBefore.isConnected ||
      elementBefore === document.activeElement || (await (${LOOK})(elementBefore)) !== lookBefore)()`);
    if (!isSeen) this.invisible.push(await this.page.evaluate<string>('elementBefore.outerHTML.slice(0, 300)'));
    return this.focused();
  }

  /** Moves to an element and presses Enter, or another key. */
  async press(name: string, key = 'Enter'): Promise<void> {
    await this.to(name);
    await this.page.keyboard.press(key);
  }

  /** Moves to a field and replaces its text. */
  async fill(name: string, text: string, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
    await this.to(name, key);
    await this.page.keyboard.press('Control+A');
    await this.page.keyboard.type(text);
  }

  /** Moves to a list of choices and selects the option with this name. */
  async choose(name: string, option: string): Promise<void> {
    await this.to(name);
    await this.page.keyboard.press('ArrowDown');
    const list = this.page.getByRole('option');
    await list.first().waitFor();
    for (let at = 0; at < (await list.count()); at++) {
      const chosen = this.page.locator('[role=option][data-combobox-selected]');
      if ((await chosen.count()) > 0 && (await chosen.textContent()) === option) {
        await this.page.keyboard.press('Enter');
        return;
      }
      await this.page.keyboard.press('ArrowDown');
    }
    throw new Error(`${option} is not reached by the arrow keys`);
  }

  /** Waits until an element has the focus. */
  async has(name: string): Promise<void> {
    await eventually(async () => {
      expect(await this.focused()).toContain(`"${name}"`);
    });
  }

  /** The role and name of the focused element; empty if there is none. */
  async focused(): Promise<string> {
    const focused = this.page.locator(':focus');
    return (await focused.count()) === 0 ? '' : (await focused.ariaSnapshot()).split('\n')[0]!;
  }
}
