/** Finds the comment that the address names, also where it is on another page of the thread. */
export function enablePermalinks(): void {
  seek();
  addEventListener('hashchange', seek);
  document.addEventListener('click', (event) => {
    if (!(event.target instanceof Element) || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const link = event.target.closest<HTMLAnchorElement>('a.comment-time, a.comment-parent');
    if (!link || document.getElementById(link.hash.slice(1)) === null) return;
    // It is here; the address is all that has to change.
    event.preventDefault();
    location.hash = link.hash;
  });
}

function seek(): void {
  const id = /^#c(\d+)$/.exec(location.hash)?.[1];
  if (id === undefined) return;
  // The browser itself goes to what is here.
  if (document.getElementById(`c${id}`) !== null) return;
  const url = new URL(location.href);
  // Asked for already, and not there.
  if (url.searchParams.get('comment') === id) return;
  url.searchParams.set('comment', id);
  location.replace(url);
}
