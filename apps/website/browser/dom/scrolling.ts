/** Marks the header while the page is scrolled down, so that small screens can hide it (styles/site/layout.css). */
export function hideHeaderWhileScrollingDown(): void {
  const header = document.querySelector('.site-header');
  let before = scrollY;
  addEventListener(
    'scroll',
    () => {
      header?.toggleAttribute('data-away', scrollY > before && scrollY > 200);
      before = scrollY;
    },
    { passive: true },
  );
}

/** Scrolls each row of tabs that is wider than the window to its current tab. */
export function showCurrentTabs(): void {
  for (const current of document.querySelectorAll<HTMLElement>(
    '.tabs [aria-current], .segments [aria-current], .moderation-nav [aria-current]',
  )) {
    const row = current.parentElement!;
    row.scrollLeft = current.offsetLeft - row.offsetLeft - (row.clientWidth - current.offsetWidth) / 2;
  }
}
