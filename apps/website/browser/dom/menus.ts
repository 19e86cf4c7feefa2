/** Closes open menus on Escape, on a click elsewhere, and when the focus leaves them. */
export function enableMenus(): void {
  const close = (menu: HTMLDetailsElement): void => {
    menu.open = false;
  };
  const openMenus = (): NodeListOf<HTMLDetailsElement> =>
    document.querySelectorAll('details[data-menu][open]');
  document.addEventListener('click', (event) => {
    for (const menu of openMenus()) if (!menu.contains(event.target as Node)) close(menu);
  });
  document.addEventListener('focusin', (event) => {
    for (const menu of openMenus()) if (!menu.contains(event.target as Node)) close(menu);
  });
  document.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    for (const menu of openMenus()) {
      close(menu);
      menu.querySelector('summary')?.focus();
    }
  });
}
